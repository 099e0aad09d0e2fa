package io.sluice.models.network;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import java.nio.file.Path;
import java.util.Locale;

/** In which of two forms a network is in its file. */
public enum NetworkFormat {
  /** One file of ONNX, without files of data beside it. */
  ONNX("OnnxRuntime", ".onnx"),
  /** What {@code torch.jit.save} writes. */
  TORCHSCRIPT("PyTorch", ".pt");

  private static final String KEY = "format";

  private final String engine;
  private final String ending;

  NetworkFormat(String engine, String ending) {
    this.engine = engine;
    this.ending = ending;
  }

  /**
   * The form that a file's name says.
   *
   * @throws BadInputException if it says none
   */
  public static NetworkFormat of(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    for (NetworkFormat format : values()) {
      if (name.endsWith(format.ending)) {
        return format;
      }
    }
    throw new BadInputException("a model's file must end in .onnx or .pt: found " + file);
  }

  /** The form of a directory's network. */
  static NetworkFormat of(ModelDirectory model) {
    for (NetworkFormat format : values()) {
      if (format.word().equals(model.parameter(KEY).asText())) {
        return format;
      }
    }
    throw model.refused(KEY + " must be onnx or torchscript: found " + model.parameter(KEY));
  }

  /** The parameter of a directory that says the form. */
  public static String key() {
    return KEY;
  }

  /** What {@link #key} says. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of the network's file in a directory. */
  public String file() {
    return "network" + ending;
  }

  String engine() {
    return engine;
  }
}
