package io.sluice.jobs.main;

import io.sluice.control.config.Durations;
import io.sluice.control.error.BadInputException;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.mix.source.MixtureSourceSettings;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mix}. */
@Command(
    name = "mix",
    description = "The long-lived job that mixes every run's stream and moves its weights.")
final class MixCommand extends JobCommand {
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(2);

  @Option(
      names = "--delivery-timeout",
      paramLabel = "TIME",
      description =
          "How long the broker may stay away before the job restarts. Default: ${DEFAULT-VALUE}.")
  private String deliveryTimeout = "60s";

  @Override
  Job job(KafkaAccess kafka) {
    Duration timeout = Durations.require("--delivery-timeout", deliveryTimeout);
    if (timeout.toMillis() < 1_000) {
      throw new BadInputException(
          "--delivery-timeout must be at least 1s: '" + deliveryTimeout + "'");
    }
    StreamSinkSettings sink = StreamSinkSettings.defaults().withDeliveryTimeout(timeout);
    MixtureSourceSettings defaults = MixtureSourceSettings.defaults();
    MixtureSourceSettings source = heapShare().map(defaults::withHeapShare).orElse(defaults);
    return new Job(
        "sluice mix",
        CHECKPOINT_INTERVAL,
        admin -> {},
        env -> MixJob.build(env, kafka, sink, source));
  }
}
