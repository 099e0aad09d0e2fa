package io.sluice.cli.bench;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of benchmarks that compilers disturb for more than one turn. */
final class WarmUps {
  private static final String NAME = "--warm-ups";

  @Option(
      names = NAME,
      paramLabel = "N",
      description = "Turns before those that count. Default: 3; 1 with --quick.")
  private @Nullable Integer turns;

  /** As many as asked for. */
  int turns(BenchOptions options) {
    return options.turns(NAME, turns);
  }
}
