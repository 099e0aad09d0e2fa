package io.sluice.djl.trainer;

import io.sluice.djl.model.ReferenceModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The models that a training is given beside its own: the base that it begins with, and the
 * reference that it is compared with.
 *
 * @param reference if there is one; closed with this
 */
record BesideModels(Optional<ReferenceModel> reference) implements AutoCloseable {
  /**
   * Reads them, and lets a training that has no checkpoint of its own begin with the base.
   *
   * @throws IllegalArgumentException if a path has no parameters, or those of another shape
   */
  static BesideModels of(TrainerSettings settings, TrainingLoop loop, boolean begins) {
    try {
      if (begins && settings.base().isPresent()) {
        loop.begin(parameters("base", settings.base().get()));
      }
      if (settings.reference().isPresent()) {
        Path file = parameters("reference", settings.reference().get());
        return new BesideModels(Optional.of(loop.reference(file)));
      }
      return new BesideModels(Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException("parameters could not be read: " + e, e);
    }
  }

  /** The file itself, that of a checkpoint, or that of a directory's newest checkpoint. */
  static Path parameters(String key, Path path) {
    if (Files.isRegularFile(path)) {
      return path;
    }
    Path own = path.resolve(TrainingLoop.PARAMETERS);
    if (Files.isRegularFile(own)) {
      return own;
    }
    List<CheckpointStore.Stored> all =
        Files.isDirectory(path) ? new CheckpointStore(path, 1).all() : List.of();
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          key
              + " must be a checkpoint, a directory of checkpoints, or a file of parameters: "
              + path);
    }
    return all.get(all.size() - 1).directory().resolve(TrainingLoop.PARAMETERS);
  }

  @Override
  public void close() {
    reference.ifPresent(ReferenceModel::close);
  }
}
