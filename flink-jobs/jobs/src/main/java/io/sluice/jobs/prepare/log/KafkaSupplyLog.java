package io.sluice.jobs.prepare.log;

import io.sluice.jobs.prepare.log.Forgettings.Forgetting;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentsForgotten;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RangeVerdict;
import io.sluice.schema.ShuffleRelease;
import io.sluice.schema.Supply;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.set.DocumentKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dataset's supply topic, and that of its releases and verdicts, each read once from its
 * beginning.
 *
 * <p>An earlier execution may have left transactions open. They are aborted by the sinks of the job
 * that starts, so the read waits until the end as of now can be passed. Nobody moves that end
 * meanwhile: both are written before a checkpoint, and none is taken until every task has started.
 */
public record KafkaSupplyLog(Duration patience) implements SupplyLog {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSupplyLog.class);

  @Override
  public Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec) {
    Map<String, Map<Integer, CommittedSupply>> supply = new HashMap<>();
    readAll(
        kafka,
        kafka.topics().supply(spec.getName()),
        value -> {
          Supply last = said(value, spec);
          if (last != null) {
            supply
                .computeIfAbsent(last.getDomain(), domain -> new HashMap<>())
                .put(last.getLane(), CommittedSupply.of(last, spec));
          }
        });
    Map<String, CommittedSupply> domains = new HashMap<>();
    supply.forEach(
        (domain, lanes) ->
            domains.put(
                domain, lanes.values().stream().reduce(CommittedSupply::and).orElseThrow()));
    return domains;
  }

  @Override
  public Map<String, Decisions> decisions(KafkaAccess kafka, DatasetSpec spec) {
    Map<String, Decisions> decisions = new HashMap<>();
    readAll(
        kafka,
        kafka.topics().releases(spec.getName()),
        value -> {
          SpecificRecordBase said = decided(value, spec);
          if (said instanceof ShuffleRelease release) {
            Decisions domain = of(decisions, release.getDomain());
            note(domain.releases().add(release.getDocuments()), release);
          } else if (said instanceof RangeVerdict verdict) {
            Decisions domain = of(decisions, verdict.getDomain());
            note(domain.refusedRanges().add(verdict.getOffset() + 1), verdict);
          } else if (said instanceof DocumentsForgotten forgotten) {
            Forgetting next =
                new Forgetting(
                    forgotten.getSteps(),
                    DocumentKeys.of(forgotten.getDomain(), forgotten.getHashes()));
            note(of(decisions, forgotten.getDomain()).forgotten().add(next), forgotten);
          }
        });
    return decisions;
  }

  @Override
  public ForgottenDocuments forgotten(KafkaAccess kafka, DatasetSpec spec) {
    return new ForgottenSets(kafka, spec, patience);
  }

  private static Decisions of(Map<String, Decisions> decisions, String domain) {
    return decisions.computeIfAbsent(domain, name -> Decisions.none());
  }

  private static void note(boolean added, SpecificRecordBase said) {
    if (!added) {
      LOG.warn("Ignored a record that does not come after the one before: {}", said);
    }
  }

  private void readAll(KafkaAccess kafka, String topic, Consumer<byte @Nullable []> sink) {
    try (TopicReader written = TopicReader.uncommitted(kafka);
        TopicReader committed = TopicReader.committed(kafka)) {
      committed.readTo(
          written.ends(written.partitions(topic, patience), patience),
          patience,
          message -> sink.accept(message.value()));
    } catch (KafkaUnreachableException e) {
      throw new IllegalStateException(
          topic
              + " cannot be read to its end, or an open transaction of an earlier execution is in"
              + " the way: "
              + e.getMessage(),
          e);
    }
  }

  /** What a record says that was decided in a domain of the dataset; null if it says nothing. */
  static @Nullable SpecificRecordBase decided(byte @Nullable [] value, DatasetSpec spec) {
    try {
      SpecificRecordBase said = WireCodec.decode(value);
      if (said instanceof ShuffleRelease release
          && isOf(spec, release.getDataset(), release.getFingerprint(), release.getDomain())
          && release.getDocuments() > 0) {
        return said;
      }
      if (said instanceof RangeVerdict verdict
          && isOf(spec, verdict.getDataset(), verdict.getFingerprint(), verdict.getDomain())
          && verdict.getOffset() >= 0
          && verdict.getOffset() < Long.MAX_VALUE) {
        return said;
      }
      if (said instanceof DocumentsForgotten forgotten
          && isOf(spec, forgotten.getDataset(), forgotten.getFingerprint(), forgotten.getDomain())
          && forgotten.getSteps() >= 0
          && DocumentKeys.of(forgotten.getDomain(), forgotten.getHashes()).size() > 0) {
        return said;
      }
      LOG.warn("Dataset {}: ignored {} among its releases", spec.getName(), said);
    } catch (WireFormatException | IllegalArgumentException e) {
      LOG.warn("Dataset {}: ignored a record of its releases: {}", spec.getName(), e.getMessage());
    }
    return null;
  }

  private static boolean isOf(DatasetSpec spec, String dataset, long fingerprint, String domain) {
    return dataset.equals(spec.getName())
        && fingerprint == spec.getFingerprint()
        && spec.getDomains().contains(domain);
  }

  /** What a record says of the dataset; null if it says nothing, whoever wrote it there. */
  static @Nullable Supply said(byte @Nullable [] value, DatasetSpec spec) {
    try {
      Supply said = WireCodec.decode(Supply.class, value);
      if (said.getDataset().equals(spec.getName())
          && spec.getDomains().contains(said.getDomain())
          && said.getLane() >= 0
          && said.getLane() < spec.getLanes()) {
        return said;
      }
      LOG.warn("Dataset {}: ignored a supply of {}", spec.getName(), said);
    } catch (WireFormatException e) {
      LOG.warn("Dataset {}: ignored a record of its supply: {}", spec.getName(), e.getMessage());
    }
    return null;
  }
}
