package io.sluice.models.network;

import ai.djl.engine.Engine;
import ai.djl.pytorch.jni.JniUtils;

/**
 * DJL's engines, of what is on the class path alone: nothing is fetched, nothing is told to
 * anybody.
 *
 * <p>PyTorch's number of threads is the process's. It is 1 from the first TorchScript model on, so
 * that sums have one order; a trainer in the same process that sets another one may change last
 * digits.
 */
final class Engines {
  private Engines() {}

  /**
   * Loads what a form needs, once.
   *
   * @throws RuntimeException as DJL gives it if it cannot be loaded
   */
  static String started(NetworkFormat format) {
    setUnlessGiven("ai.djl.offline", "true");
    setUnlessGiven("OPT_OUT_TRACKING", "true");
    // What is optimised after the first runs may have other last digits than those runs had.
    setUnlessGiven("ai.djl.pytorch.graph_optimizer", "false");
    if (!Engine.hasEngine(format.engine())) {
      throw new IllegalStateException(
          format.engine()
              + " is not installed here: the jar for a Flink of one's own holds no engine, so such a"
              + " refinery runs in 'sluice up'");
    }
    Engine engine = Engine.getEngine(format.engine());
    if (format == NetworkFormat.TORCHSCRIPT) {
      JniUtils.setNumThreads(1);
    }
    return engine.getEngineName();
  }

  private static void setUnlessGiven(String key, String value) {
    if (System.getProperty(key) == null) {
      System.setProperty(key, value);
    }
  }
}
