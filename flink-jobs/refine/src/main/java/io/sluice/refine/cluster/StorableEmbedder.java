package io.sluice.refine.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** An embedder that a model of clusters can have a copy of. */
public interface StorableEmbedder extends Embedder {
  /**
   * Adds to a model what is needed to read this embedder from it.
   *
   * @param parameters gets {@value ClusterModel#EMBEDDER}, the kind, and keys that begin with it
   * @param files gets contents by names that begin with {@value ClusterModel#EMBEDDER}
   */
  void describe(ObjectNode parameters, Map<String, byte[]> files);
}
