package io.sluice.djl.model;

import ai.djl.ndarray.NDManager;
import io.sluice.djl.trainer.TrainingLoop;

/** What tests look up in a model's engine, or do to a model. */
public final class TestingModels {
  private TestingModels() {}

  /** Makes every loss NaN. */
  public static void spoil(TrainingLoop loop) {
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      loop.parameters().get("normBeta").addi(Float.NaN);
    }
  }

  /** Multiplies every parameter. */
  public static void scale(TrainingLoop loop, float factor) {
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      loop.parameters().values().forEach(each -> each.muli(factor));
    }
  }

  /** Arrays that the model, its trainer and its optimizer hold. */
  public static int liveArrays(TrainingLoop loop) {
    return loop.trainer().getModel().getNDManager().getManagedArrays().size();
  }

  /** Arrays that anybody in this process holds. */
  public static int liveArraysInProcess() {
    try (NDManager manager = TorchRuntime.start(0).newBaseManager()) {
      return manager.getParentManager().getManagedArrays().size();
    }
  }
}
