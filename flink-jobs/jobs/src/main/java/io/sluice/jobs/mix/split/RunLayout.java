package io.sluice.jobs.mix.split;

import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.log.RunSettings;
import io.sluice.schema.ChainHash;
import io.sluice.schema.RunSpec;
import java.util.List;

/**
 * What the source needs of a run's specification.
 *
 * @param run name, part of the stream topic's
 * @param streamTopicId Kafka's id of the stream topic; '' when it was not recorded
 * @param fingerprint of the dataset
 * @param domains in the order of every per-domain array
 * @param lanes partitions of each block topic; lane l fills the stream partitions p with p mod
 *     lanes = l
 * @param seed of the orders of batches and of later epochs
 * @param chainStart {@link ChainHash} before a timeline's first sequence
 * @param pace how the run shares the source with others
 */
public record RunLayout(
    String run,
    String streamTopicId,
    String dataset,
    long fingerprint,
    List<String> domains,
    int streamPartitions,
    int lanes,
    long seed,
    long chainStart,
    Pace pace) {
  public RunLayout {
    domains = List.copyOf(domains);
    if (domains.isEmpty() || streamPartitions < 1) {
      throw new IllegalArgumentException(
          "a run must have domains and stream partitions: " + domains + ", " + streamPartitions);
    }
    if (lanes < 1 || streamPartitions % lanes != 0) {
      throw new IllegalArgumentException(
          "lanes must divide the " + streamPartitions + " stream partitions: " + lanes);
    }
  }

  public static RunLayout of(RunSpec spec, String streamTopicId, long chainStart) {
    return new RunLayout(
        spec.getRun(),
        streamTopicId,
        spec.getDataset(),
        spec.getFingerprint(),
        spec.getDomains(),
        spec.getStreamPartitions(),
        spec.getLanes(),
        spec.getSeed(),
        chainStart,
        Pace.of(RunSpecs.limits(spec)));
  }

  /** The layout of the run with another pace. */
  public RunLayout paced(Pace other) {
    return with(domains, seed, other);
  }

  /** The layout of the run with other domains, another seed and another pace. */
  RunLayout revised(RunSettings settings) {
    return with(settings.domains(), settings.seed(), Pace.of(settings.limits()));
  }

  private RunLayout with(List<String> otherDomains, long otherSeed, Pace otherPace) {
    return new RunLayout(
        run,
        streamTopicId,
        dataset,
        fingerprint,
        otherDomains,
        streamPartitions,
        lanes,
        otherSeed,
        chainStart,
        otherPace);
  }
}
