package io.sluice.cli.options;

import picocli.CommandLine.Option;

/** The option of commands that put files into a domain, which one machine at a time does. */
public final class TakeOver {
  @Option(
      names = "--take-over",
      description =
          "Go on behind an ingest of the domain that another machine was at, and that has ended"
              + " without saying so.")
  private boolean wanted;

  /** Whether it is given. */
  public boolean wanted() {
    return wanted;
  }
}
