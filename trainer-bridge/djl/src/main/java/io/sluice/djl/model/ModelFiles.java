package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Named arrays in safetensors files, which PyTorch reads as well. */
public final class ModelFiles {
  private ModelFiles() {}

  /** Writes arrays under the map's names. */
  public static void write(Path file, Map<String, NDArray> arrays) throws IOException {
    NDList list = new NDList(arrays.size());
    arrays.forEach(
        (name, array) -> {
          array.setName(name);
          list.add(array);
        });
    try (OutputStream out = Files.newOutputStream(file)) {
      list.encode(out, NDList.Encoding.SAFETENSORS);
    }
  }

  /**
   * Overwrites the values of arrays with a file's.
   *
   * @throws IllegalArgumentException if the names or the shapes differ
   */
  public static void read(Path file, Map<String, NDArray> into, NDManager manager)
      throws IOException {
    try (NDManager scope = manager.newSubManager();
        InputStream in = Files.newInputStream(file)) {
      NDList list = NDList.decode(scope, in);
      if (list.size() != into.size()) {
        throw new IllegalArgumentException(
            file + " must hold " + into.size() + " arrays, as the model: " + list.size());
      }
      for (NDArray stored : list) {
        overwrite(file, into.get(stored.getName()), stored);
      }
    }
  }

  private static void overwrite(Path file, @Nullable NDArray own, NDArray stored) {
    if (own == null || !own.getShape().equals(stored.getShape())) {
      throw new IllegalArgumentException(
          "array "
              + stored.getName()
              + " of "
              + file
              + " must have the model's shape "
              + (own == null ? "(the model has no such array)" : own.getShape())
              + ": "
              + stored.getShape());
    }
    own.subi(own);
    own.addi(stored);
  }
}
