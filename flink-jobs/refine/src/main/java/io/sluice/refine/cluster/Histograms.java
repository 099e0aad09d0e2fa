package io.sluice.refine.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Histograms in files, as JSON. */
public final class Histograms {
  private static final long LARGEST = 64L << 20;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Histograms() {}

  /** A histogram as a map of {@code clusters}, {@code documents} and {@code weights}. */
  static ObjectNode json(Histogram histogram) {
    ObjectNode node = JSON.createObjectNode();
    node.put("clusters", histogram.clusters()).put("documents", histogram.documents());
    ObjectNode weights = node.putObject("weights");
    histogram.weights().forEach((cluster, share) -> weights.put(cluster.toString(), share));
    return node;
  }

  /**
   * Reads a histogram.
   *
   * @throws BadInputException if the file cannot be read, is larger than 64 MiB, or has no
   *     histogram
   */
  public static Histogram read(Path file) {
    try {
      long size = Files.size(file);
      if (size > LARGEST) {
        throw new BadInputException(
            "a histogram must have at most " + LARGEST + " bytes: " + file + " has " + size);
      }
      return of(file.toString(), Files.readAllBytes(file));
    } catch (IOException e) {
      throw new BadInputException("the histogram " + file + " cannot be read: " + e, e);
    }
  }

  /**
   * The histogram that a file has.
   *
   * @param file its name, for errors
   * @throws BadInputException if it has none
   */
  public static Histogram of(String file, byte[] content) {
    try {
      return histogram(JSON.readTree(content));
    } catch (JsonProcessingException e) {
      throw new BadInputException(file + " must be JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (BadInputException e) {
      throw new BadInputException(
          "the histogram " + file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** A histogram as a file has it, in UTF-8. */
  public static byte[] bytes(Histogram histogram) {
    return json(histogram).toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Histogram histogram(JsonNode node) {
    if (!node.path("clusters").isTextual()
        || !node.path("documents").isIntegralNumber()
        || !node.path("weights").isObject()) {
      throw new BadInputException(
          "it must be a map of a text 'clusters', a whole number 'documents' and a map 'weights'");
    }
    SortedMap<Integer, Double> weights = new TreeMap<>();
    for (Map.Entry<String, JsonNode> weight : node.path("weights").properties()) {
      if (!weight.getKey().matches("0|[1-9][0-9]{0,8}") || !weight.getValue().isNumber()) {
        throw new BadInputException("weights must be numbers by id of a cluster: found " + weight);
      }
      weights.put(Integer.valueOf(weight.getKey()), weight.getValue().doubleValue());
    }
    return new Histogram(
        node.path("clusters").textValue(), node.path("documents").longValue(), weights);
  }
}
