package io.sluice.refine.targets;

/** What a document of a target set is for. */
public enum Side {
  /** The mixture is steered by it. */
  STEERS,
  /** What the steering was good for is measured on it. */
  TESTS
}
