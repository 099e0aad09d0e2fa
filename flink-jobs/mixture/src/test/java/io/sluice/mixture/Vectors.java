package io.sluice.mixture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/** The examples of docs/protocol.md, which other clients check themselves against, too. */
public final class Vectors {
  private static final Path DIRECTORY = Path.of("../../schemas/src/test/resources/vectors");

  private Vectors() {}

  /** The file of that name. */
  public static JsonNode read(String name) {
    try {
      return new ObjectMapper().readTree(DIRECTORY.resolve(name + ".json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Items of an array. */
  public static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** Integers of an array. */
  public static int[] ints(JsonNode array) {
    return list(array).stream().mapToInt(JsonNode::intValue).toArray();
  }

  /** Integers of an array. */
  public static long[] longs(JsonNode array) {
    return list(array).stream().mapToLong(JsonNode::longValue).toArray();
  }

  /** Numbers of an array. */
  public static double[] doubles(JsonNode array) {
    return list(array).stream().mapToDouble(JsonNode::doubleValue).toArray();
  }
}
