package io.sluice.service.supervise;

import java.util.List;

/** What a JVM that runs for long is told. */
public final class LongLived {
  /**
   * The optimizing compiler is asked for what was called ten times as often as it would be
   * otherwise: code that is hot is called as often within seconds, and the rest is most of what it
   * would have to do. The launcher gives the same options to {@code up}.
   */
  public static final List<String> COMPILERS =
      List.of(
          "-XX:Tier4InvocationThreshold=50000",
          "-XX:Tier4MinInvocationThreshold=6000",
          "-XX:Tier4CompileThreshold=150000",
          "-XX:Tier4BackEdgeThreshold=400000");

  private LongLived() {}
}
