package io.sluice.refine.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model as it lies in a directory: {@value #MODEL}, which says what it is and has its parameters,
 * and beside it files of numbers, read whole. Immutable. Two models of the same hash are the same.
 */
public final class ModelDirectory {
  /** The file with the kind and the parameters, a map in JSON. */
  public static final String MODEL = "model.json";

  /** Bytes of the files of any model, at most. */
  public static final long LARGEST = 2L << 30;

  private static final String KIND = "kind";
  private static final long LARGEST_PARAMETERS = 64L << 20;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Path directory;
  private final ObjectNode parameters;
  private final Map<String, byte[]> files;
  private final String hash;

  private ModelDirectory(Path directory, byte[] described, Map<String, byte[]> files) {
    this.directory = directory;
    this.parameters = parsed(directory, described);
    this.files = new TreeMap<>(files);
    this.hash = hash(described, this.files);
  }

  /** An empty map, to be filled with parameters. */
  public static ObjectNode parameters() {
    return JSON.createObjectNode();
  }

  /**
   * Writes a model into a directory that must not be there yet, or be empty; it is there whole, or
   * not at all.
   *
   * @param kind says which reader it is for
   * @param files contents by name
   * @throws BadInputException if the directory has something, or cannot be written
   */
  public static ModelDirectory write(
      Path directory, String kind, ObjectNode parameters, Map<String, byte[]> files) {
    ModelDirectory model = unwritten(directory, kind, parameters, files);
    Map<String, byte[]> all = new TreeMap<>(files);
    all.put(MODEL, described(model.parameters));
    NewDirectory.write(directory, all);
    return model;
  }

  /**
   * A model that is written nowhere yet, to be tried.
   *
   * @param directory that messages name
   */
  public static ModelDirectory unwritten(
      Path directory, String kind, ObjectNode parameters, Map<String, byte[]> files) {
    ObjectNode described = JSON.createObjectNode().put(KIND, kind);
    described.setAll(parameters);
    return new ModelDirectory(directory, described(described), files);
  }

  /**
   * Reads a model.
   *
   * @param kind that it must be of
   * @param largest bytes of its files, in all
   * @throws BadInputException if there is none, it is of another kind, or larger
   */
  public static ModelDirectory open(Path directory, String kind, long largest) {
    ModelDirectory model = open(directory, largest);
    if (!model.kind().equals(kind)) {
      throw new BadInputException(
          "the model in " + directory + " must be a " + kind + ": found a " + model.kind());
    }
    return model;
  }

  /** Reads a model of any kind; see {@link #open(Path, String, long)}. */
  public static ModelDirectory open(Path directory, long largest) {
    if (!Files.isRegularFile(directory.resolve(MODEL))) {
      throw new BadInputException("no model: " + directory + " has no " + MODEL);
    }
    try (var listed = Files.list(directory)) {
      Map<String, byte[]> files = new TreeMap<>();
      byte[] described = new byte[0];
      long left = largest;
      for (Path file : listed.sorted().toList()) {
        String name = file.getFileName().toString();
        boolean parameters = name.equals(MODEL);
        long size = Files.size(file);
        if (!Files.isRegularFile(file) || name.startsWith(".")) {
          continue;
        }
        if (size > (parameters ? LARGEST_PARAMETERS : left)) {
          throw new BadInputException(
              "the model in "
                  + directory
                  + " must have at most "
                  + largest
                  + " bytes: "
                  + name
                  + " has "
                  + size);
        }
        if (parameters) {
          described = Files.readAllBytes(file);
        } else {
          left -= size;
          files.put(name, Files.readAllBytes(file));
        }
      }
      return new ModelDirectory(directory, described, files);
    } catch (IOException | UncheckedIOException e) {
      throw new BadInputException("the model in " + directory + " cannot be read: " + e, e);
    }
  }

  /** Where it lies. */
  public Path directory() {
    return directory;
  }

  /** What reader the model is for. */
  public String kind() {
    return parameters.path(KIND).asText();
  }

  /** SHA-256 of everything that it holds, 64 hexadecimal digits. */
  public String hash() {
    return hash;
  }

  /**
   * A parameter that must be a whole number of a range.
   *
   * @throws BadInputException if it is not there, or is not
   */
  public int number(String key, int min, int max) {
    JsonNode value = parameters.path(key);
    if (!value.isInt() || value.intValue() < min || value.intValue() > max) {
      throw refused(
          key + " must be a whole number from " + min + " to " + max + ": found " + value);
    }
    return value.intValue();
  }

  /** Any parameter; a missing node where there is none. */
  public JsonNode parameter(String key) {
    return parameters.path(key);
  }

  /**
   * A file of the model; not a copy.
   *
   * @param bytes that it must have, or -1 for any number
   * @throws BadInputException if it is not there, or has not as many bytes
   */
  public byte[] file(String name, long bytes) {
    byte[] file = files.get(name);
    if (file == null) {
      throw refused(name + " is missing");
    }
    if (bytes >= 0 && file.length != bytes) {
      throw refused(name + " must have " + bytes + " bytes: found " + file.length);
    }
    return file;
  }

  /**
   * Adds a copy of this model to another one, whose {@link #part} it is then.
   *
   * @param name of the part: the parameter that says its kind, and what its other parameters and
   *     its files begin with, before a {@code -}
   */
  public void copy(String name, ObjectNode into, Map<String, byte[]> intoFiles) {
    into.put(name, kind());
    parameters
        .properties()
        .forEach(
            each -> {
              if (!each.getKey().equals(KIND)) {
                into.set(name + "-" + each.getKey(), each.getValue());
              }
            });
    files.forEach((file, content) -> intoFiles.put(name + "-" + file, content));
  }

  /** The model that was {@linkplain #copy copied} into this one; nothing of it if there is none. */
  public ModelDirectory part(String name) {
    String prefix = name + "-";
    ObjectNode own = JSON.createObjectNode();
    parameters
        .properties()
        .forEach(
            each -> {
              if (each.getKey().startsWith(prefix)) {
                own.set(each.getKey().substring(prefix.length()), each.getValue());
              }
            });
    Map<String, byte[]> contents = new TreeMap<>();
    files.forEach(
        (file, content) -> {
          if (file.startsWith(prefix)) {
            contents.put(file.substring(prefix.length()), content);
          }
        });
    return unwritten(directory, parameters.path(name).asText(), own, contents);
  }

  /** The error for what the model has and must not have. */
  public BadInputException refused(String what) {
    return new BadInputException("the model in " + directory + " cannot be used: " + what);
  }

  private static byte[] described(ObjectNode parameters) {
    try {
      return (JSON.writeValueAsString(parameters) + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode parsed(Path directory, byte[] described) {
    try {
      if (JSON.readTree(described) instanceof ObjectNode object && object.path(KIND).isTextual()) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw new BadInputException(
          directory.resolve(MODEL) + " must be JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new BadInputException(
        directory.resolve(MODEL) + " must be a map with a text '" + KIND + "'");
  }

  private static String hash(byte[] described, Map<String, byte[]> files) {
    MessageDigest digest = sha256();
    add(digest, MODEL, described);
    files.forEach((name, content) -> add(digest, name, content));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, String name, byte[] content) {
    byte[] head = (name + "\n" + content.length + "\n").getBytes(StandardCharsets.UTF_8);
    digest.update(head);
    digest.update(content);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
