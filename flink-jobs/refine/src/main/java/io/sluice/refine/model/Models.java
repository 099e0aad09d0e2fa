package io.sluice.refine.model;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Models of any kind that a jar on the class path knows, by what they are used for. */
public final class Models {
  private static final List<ModelReader<?>> READERS =
      ServiceLoader.load(ModelKinds.class, ModelKinds.class.getClassLoader()).stream()
          .<ModelReader<?>>flatMap(found -> found.get().readers().stream())
          .toList();

  private Models() {}

  /**
   * Reads the model in a directory.
   *
   * @param type that it must be usable as
   * @throws io.sluice.control.error.BadInputException if there is none, or it is of no kind that is
   *     such a type
   */
  public static <T> T open(Path directory, Class<T> type) {
    return of(ModelDirectory.open(directory, ModelDirectory.LARGEST), type);
  }

  /** The model of a directory that was read; see {@link #open}. */
  public static <T> T of(ModelDirectory model, Class<T> type) {
    TreeSet<String> kinds = new TreeSet<>();
    for (ModelReader<?> reader : READERS) {
      if (reader.type() == type) {
        if (reader.kind().equals(model.kind())) {
          return type.cast(reader.read().apply(model));
        }
        kinds.add(reader.kind());
      }
    }
    throw model.refused(
        "it must be a "
            + (kinds.isEmpty() ? "kind that is on the class path" : String.join(" or ", kinds))
            + ": found a "
            + model.kind());
  }
}
