package io.sluice.refine.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.model.Models;
import java.nio.file.Path;
import java.util.Map;

/**
 * An embedder of a directory of its own, whole, so that a model of clusters can have a copy of it.
 *
 * @param directory with its files
 * @param embedder that was read from there
 */
public record StoredEmbedder(ModelDirectory directory, Embedder embedder)
    implements StorableEmbedder {
  /**
   * Reads an embedder.
   *
   * @throws io.sluice.control.error.BadInputException if there is none, or it cannot be one
   */
  public static StoredEmbedder open(Path directory) {
    ModelDirectory model = ModelDirectory.open(directory, ModelDirectory.LARGEST);
    return new StoredEmbedder(model, Models.of(model, Embedder.class));
  }

  @Override
  public int dimension() {
    return embedder.dimension();
  }

  @Override
  public String version() {
    return embedder.version();
  }

  @Override
  public void embed(String text, float[] out) {
    embedder.embed(text, out);
  }

  @Override
  public void describe(ObjectNode parameters, Map<String, byte[]> files) {
    directory.copy(ClusterModel.EMBEDDER, parameters, files);
  }
}
