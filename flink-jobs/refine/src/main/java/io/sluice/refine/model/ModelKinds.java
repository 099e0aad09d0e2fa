package io.sluice.refine.model;

import java.util.List;

/**
 * Kinds of models that a jar knows. Each jar names its own in {@code
 * META-INF/services/io.sluice.refine.model.ModelKinds}; those that are built in are found in the
 * same way.
 */
public interface ModelKinds {
  /** A reader for each kind; what it gives may be used by several threads. */
  List<ModelReader<?>> readers();
}
