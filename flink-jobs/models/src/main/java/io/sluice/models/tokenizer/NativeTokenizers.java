package io.sluice.models.tokenizer;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.util.Platform;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the native library of DJL's classes, from a copy of its own for each class loader.
 *
 * <p>A Java VM loads a file once: with the one file that DJL unpacks, the second job or restart
 * whose classes come from a class loader of their own, as they do on Flink, would be refused. DJL
 * takes the file that a property of the whole VM names; it is set while it is read, one class
 * loader after the other. So it is also always the library for processors, out of the jar: DJL
 * would fetch one for CUDA from the network where it finds a GPU.
 */
final class NativeTokenizers {
  private static final String PATH = "RUST_LIBRARY_PATH";

  private static volatile boolean loaded;

  private NativeTokenizers() {}

  /**
   * Loads the library unless this class loader has it.
   *
   * @throws IllegalStateException if it cannot be loaded, saying why
   */
  static void load() {
    if (loaded) {
      return;
    }
    // The one object that the classes of all class loaders share, and that guards the property.
    synchronized (System.getProperties()) {
      try {
        if (System.getenv(PATH) == null && System.getProperty(PATH) == null) {
          loadCopy();
        } else {
          LibUtils.checkStatus();
        }
        loaded = true;
      } catch (IOException | RuntimeException | LinkageError e) {
        Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
        throw new IllegalStateException(
            "the native library of tokenizer files cannot be loaded: " + cause, e);
      }
    }
  }

  private static void loadCopy() throws IOException {
    ClassLoader classes = LibUtils.class.getClassLoader();
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    Path directory = Files.createTempDirectory("sluice-tokenizers");
    Path file = directory.resolve(System.mapLibraryName("tokenizers"));
    thread.setContextClassLoader(classes); // DJL looks for its own files there
    try {
      if (copy(classes, file)) {
        System.setProperty(PATH, file.toString());
      }
      LibUtils.checkStatus();
    } finally {
      System.clearProperty(PATH);
      thread.setContextClassLoader(context);
      Files.deleteIfExists(file); // what is loaded stays loaded
      Files.deleteIfExists(directory);
    }
  }

  /** Whether there is a file to copy; where it needs others beside it, DJL unpacks them itself. */
  private static boolean copy(ClassLoader classes, Path to) throws IOException {
    Platform platform = Platform.fromSystem("tokenizers");
    if (platform.getOsPrefix().equals("win")) {
      return false;
    }
    String name = "native/lib/" + platform.getClassifier() + "/cpu/" + to.getFileName();
    try (InputStream library = classes.getResourceAsStream(name)) {
      if (library == null) {
        throw new FileNotFoundException("no '" + name + "' on the class path");
      }
      Files.copy(library, to);
      return true;
    }
  }
}
