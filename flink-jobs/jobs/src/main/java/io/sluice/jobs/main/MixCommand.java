package io.sluice.jobs.main;

import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.mix.source.MixtureSourceSettings;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import picocli.CommandLine.Command;

/** {@code mix}. */
@Command(
    name = "mix",
    description = "The long-lived job that mixes every run's stream and moves its weights.")
final class MixCommand extends JobCommand {
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(2);

  @Override
  Job job(KafkaAccess kafka) {
    StreamSinkSettings usual = StreamSinkSettings.defaults();
    StreamSinkSettings sink = deliveryTimeout().map(usual::withDeliveryTimeout).orElse(usual);
    MixtureSourceSettings defaults = MixtureSourceSettings.defaults();
    MixtureSourceSettings source = heapShare().map(defaults::withHeapShare).orElse(defaults);
    return new Job(
        "sluice mix",
        CHECKPOINT_INTERVAL,
        admin -> {},
        env -> MixJob.build(env, kafka, sink, source));
  }
}
