package io.sluice.lab.bench.measure;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of benchmarks that compilers disturb for more than one turn. */
public final class WarmUps {
  private static final String NAME = "--warm-ups";

  @Option(
      names = NAME,
      paramLabel = "N",
      description = "Turns before those that count. Default: 3; 1 with --quick.")
  private @Nullable Integer turns;

  /** As many as asked for. */
  public int turns(Benchmark benchmark) {
    return benchmark.turns(NAME, turns);
  }
}
