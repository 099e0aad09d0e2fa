package io.sluice.control.wire;

import io.sluice.control.config.Option;
import io.sluice.mixture.log.RunLimits;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;
import java.time.Duration;
import java.util.List;

/**
 * The keys of {@code run.yaml} that are a field of the specification each: the file's reader, what
 * writes a file again, and whoever is given a specification ask here.
 */
public final class RunFields {
  private static final long MOST = Long.MAX_VALUE;
  private static final Duration LONGEST = Duration.ofDays(365);

  /** In the order in which people write them. */
  public static final List<RunField<?>> ALL =
      List.of(
          RunField.count(
              "batches",
              "batches",
              0,
              MOST,
              0,
              "100k",
              "The run is complete after these; 0: no end.",
              RunSpec::getBatches,
              RunSpec.Builder::setBatches),
          RunField.count(
              "apply.lag",
              "batches",
              0,
              MOST,
              0,
              "2 batches",
              "Batches between a round's step and the first that it governs, less one.",
              RunSpec::getLag,
              RunSpec.Builder::setLag),
          RunField.word(
              "apply.on-timeout",
              List.of("hold", "keep-weights"),
              "hold",
              "What becomes of a round whose feedback does not come in time.",
              RunSpec::getOnTimeout,
              RunSpec.Builder::setOnTimeout),
          new RunField<>(
              Option.duration(
                  "apply.timeout",
                  Duration.ofMillis(1),
                  LONGEST,
                  Duration.ofMinutes(10),
                  "5m",
                  "How long a round may wait once a trainer has reached its step."),
              spec -> Duration.ofMillis(spec.getTimeoutMillis()),
              (spec, timeout) -> spec.setTimeoutMillis(timeout.toMillis()),
              "be in [1ms, 365d]",
              timeout -> timeout.toMillis() >= 1 && timeout.compareTo(LONGEST) <= 0),
          RunField.count(
              "apply.lead",
              "batches",
              0,
              MOST,
              0,
              "40 batches",
              "Batches that the stream may run ahead of the trainers; 0: to the end of the round,"
                  + " or 256 without feedback.",
              RunSpec::getLead,
              RunSpec.Builder::setLead),
          RunField.word(
              "when-behind",
              List.of("wait", "redistribute"),
              "wait",
              "What happens while a domain's next blocks are not there yet.",
              RunSpec::getWhenBehind,
              RunSpec.Builder::setWhenBehind),
          RunField.word(
              "delivery",
              Delivery.ALL,
              Delivery.TOKENS,
              "How trainers get sequences: out of a stream of the run's own, or derived, as rows of"
                  + " the dataset's store.",
              RunSpec::getDelivery,
              RunSpec.Builder::setDelivery),
          RunField.word(
              "reclaim",
              List.of("never", "checkpoint"),
              "never",
              "When sequences of the stream are deleted: once no trainer's checkpoint needs them.",
              RunSpec::getReclaim,
              RunSpec.Builder::setReclaim),
          RunField.count(
              "priority",
              "",
              1,
              RunLimits.MOST_PRIORITY,
              RunLimits.PRIORITY,
              "20",
              "Share of what the source gives, where several runs want more: one with 20 gets twice"
                  + " the bytes of one with 10.",
              spec -> (long) spec.getPriority(),
              (spec, priority) -> spec.setPriority(priority.intValue())),
          RunField.count(
              "limits.tokens-per-second",
              "tokens",
              0,
              MOST,
              0,
              "2M tokens",
              "Most that the source emits of the run; 0: no ceiling.",
              RunSpec::getTokensPerSecond,
              RunSpec.Builder::setTokensPerSecond),
          RunField.count(
              "limits.stream",
              "bytes",
              0,
              MOST,
              0,
              "20G bytes",
              "Most that the stream holds of tokens which no checkpoint has let go, with reclaim:"
                  + " checkpoint; 0: no ceiling.",
              RunSpec::getStreamBytes,
              RunSpec.Builder::setStreamBytes),
          RunField.count(
              "stream-partitions",
              "",
              1,
              1024,
              4,
              "8",
              "Partitions of the stream, a multiple of the dataset's lanes: how many readers share"
                  + " it.",
              spec -> (long) spec.getStreamPartitions(),
              (spec, partitions) -> spec.setStreamPartitions(partitions.intValue())),
          RunField.count(
              "eval-tokens",
              "tokens",
              0,
              Integer.MAX_VALUE,
              0,
              "64k tokens",
              "Held-out tokens of each domain that a round evaluates; 0: the trainer's choice.",
              RunSpec::getEvalTokens,
              RunSpec.Builder::setEvalTokens),
          RunField.count(
              "probe-tokens",
              "tokens",
              0,
              Integer.MAX_VALUE,
              0,
              "4k tokens",
              "Tokens of each domain's probe batch for gradient alignments; 0: the trainer's"
                  + " choice.",
              RunSpec::getProbeTokens,
              RunSpec.Builder::setProbeTokens),
          RunField.count(
              "seed",
              "",
              Long.MIN_VALUE,
              MOST,
              0,
              "7",
              "Of the order of sequences and of epochs.",
              RunSpec::getSeed,
              RunSpec.Builder::setSeed));

  private RunFields() {}

  /** Refuses a specification that no file could ask for. */
  static void require(RunSpec spec) {
    ALL.forEach(field -> field.require(spec));
  }
}
