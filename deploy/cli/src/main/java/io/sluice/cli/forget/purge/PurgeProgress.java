package io.sluice.cli.forget.purge;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Says now and then how far a topic is. */
final class PurgeProgress implements LongConsumer {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Consumer<String> tell;
  private final String what;
  private long told = System.nanoTime();
  private long records;

  PurgeProgress(Consumer<String> tell, String what) {
    this.tell = tell;
    this.what = what;
  }

  @Override
  public void accept(long more) {
    records += more;
    long now = System.nanoTime();
    if (now - told > PAUSE.toNanos()) {
      told = now;
      tell.accept("%s: %,d records so far".formatted(what, records));
    }
  }
}
