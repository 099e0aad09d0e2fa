package io.sluice.service.flink;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.WebOptions;

/** The page on which Flink shows its jobs, at the address of its REST interface. */
public final class FlinkPage {
  private FlinkPage() {}

  /** It neither takes jars, which Flink would run, nor ends jobs, which would be started again. */
  public static void onlyToLookAt(Configuration options) {
    options.set(WebOptions.SUBMIT_ENABLE, false);
    options.set(WebOptions.CANCEL_ENABLE, false);
  }
}
