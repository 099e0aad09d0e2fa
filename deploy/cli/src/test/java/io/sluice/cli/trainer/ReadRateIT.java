package io.sluice.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.local.EmbeddedBroker;
import io.sluice.client.ReadRate;
import io.sluice.client.RunInfo;
import io.sluice.client.StreamOptions;
import io.sluice.client.TrainerRank;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads blocks of 2048 tokens; {@code -Dsluice.batches=800} for a measurement worth the name. */
class ReadRateIT {
  private static final int BATCH_SIZE = 256;

  @TempDir private Path directory;

  @Test
  void readsEverySequenceOfARanksBatches() throws Exception {
    long batches = Long.getLong("sluice.batches", 8);
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Duration.ofMinutes(1))) {
      KafkaAccess access = KafkaAccess.local(broker.bootstrapServers());
      WrittenStream stream = WrittenStream.create(access, "rate", 2048, BATCH_SIZE);
      stream.write(batches);
      RunInfo run = stream.run();
      long sequences = batches * BATCH_SIZE;
      for (int round = 0; round < (batches > 8 ? 3 : 1); round++) {
        ReadRate bare = ReadRate.ofConsumer(access, run, sequences);
        ReadRate whole = ReadRate.ofBatches(access, run, StreamOptions.defaults(), batches);
        ReadRate quarter =
            ReadRate.ofBatches(
                access, run, StreamOptions.defaults().withRank(TrainerRank.of(1, 4)), batches);
        print("bare consumer", bare);
        print("ready batches", whole);
        print("rank 1 of 4", quarter);
        assertThat(whole.sequences()).isEqualTo(bare.sequences()).isEqualTo(sequences);
        assertThat(whole.bytes()).isEqualTo(bare.bytes());
        assertThat(quarter.sequences()).isEqualTo(sequences / 4);
      }
    }
  }

  private static void print(String what, ReadRate rate) {
    System.out.printf(
        Locale.ROOT,
        "%s: %.1f M tokens/s, %.1f M tokens for each second of a core%n",
        what,
        rate.tokensPerSecond() / 1e6,
        rate.tokensPerCoreSecond() / 1e6);
  }
}
