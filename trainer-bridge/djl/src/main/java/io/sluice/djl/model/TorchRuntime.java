package io.sluice.djl.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.jni.JniUtils;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process's PyTorch: loaded from the class path, without network, once.
 *
 * <p>The first start in an account unpacks PyTorch's libraries (about 400 MB) to {@code ~/.djl.ai};
 * the system property or environment variable {@code ENGINE_CACHE_DIR} names another directory. A
 * {@code PYTORCH_LIBRARY_PATH} with the same version is used as it is.
 */
public final class TorchRuntime {
  private static final String ENGINE = "PyTorch";
  private static final Pattern DEVICE = Pattern.compile("cpu|gpu(\\d{1,3})");

  private TorchRuntime() {}

  /**
   * The engine, ready on this thread.
   *
   * @param threads of one operation; 0 keeps PyTorch's own choice, the physical cores
   */
  public static Engine start(int threads) {
    setUnlessGiven("ai.djl.offline", "true");
    setUnlessGiven("OPT_OUT_TRACKING", "true");
    Engine engine = load();
    if (threads > 0) {
      JniUtils.setNumThreads(threads);
    }
    return engine;
  }

  /**
   * The device of a name.
   *
   * @throws IllegalArgumentException if it is no name of one
   */
  public static Device device(String name) {
    Matcher match = DEVICE.matcher(name);
    if (!match.matches()) {
      throw new IllegalArgumentException("device must be cpu, gpu0, gpu1, …: '" + name + "'");
    }
    return match.group(1) == null ? Device.cpu() : Device.gpu(Integer.parseInt(match.group(1)));
  }

  /**
   * Checks that the engine has a device.
   *
   * @throws IllegalArgumentException if it has not
   */
  public static void require(Engine engine, Device device) {
    int gpus = engine.getGpuCount();
    boolean there = device.isGpu() ? device.getDeviceId() < gpus : device.equals(Device.cpu());
    if (!there) {
      throw new IllegalArgumentException(
          "device must be cpu"
              + (gpus == 0 ? "" : " or gpu0 to gpu" + (gpus - 1))
              + ", what this PyTorch can use: "
              + device);
    }
  }

  private static Engine load() {
    try {
      return Engine.getEngine(ENGINE);
    } catch (EngineException e) {
      throw new IllegalStateException(
          "PyTorch could not be loaded (ENGINE_CACHE_DIR must name a writable directory with 1 GB"
              + " free; on Linux on x86-64 the jar pytorch-native-cpu must be on the class path, as in lib/"
              + " of an installation,"
              + " elsewhere PYTORCH_LIBRARY_PATH must name the libraries): "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Stops recording operations for gradients until it is closed.
   *
   * <p>PyTorch's switch belongs to the thread and is on in a new one; DJL turns it off in the
   * thread that loads the engine only.
   */
  public static GradMode forwardOnly() {
    return switchTo(false);
  }

  /** Records operations for gradients, on this thread, until it is closed. */
  public static GradMode recording() {
    return switchTo(true);
  }

  private static GradMode switchTo(boolean recording) {
    GradMode mode = new GradMode(JniUtils.isGradMode());
    JniUtils.setGradMode(recording);
    return mode;
  }

  /** Restores the switch as it was before. */
  public record GradMode(boolean before) implements AutoCloseable {
    @Override
    public void close() {
      JniUtils.setGradMode(before);
    }
  }

  private static void setUnlessGiven(String key, String value) {
    if (System.getProperty(key) == null) {
      System.setProperty(key, value);
    }
  }
}
