package io.sluice.refine.basis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.cluster.Histograms;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Basis topics as a model on disk: {@code model.json} has how documents are resampled, {@code
 * pool.json} the pool's histogram and {@code topic-NAME.json} that of each topic, as {@link
 * Histograms} writes them. Immutable.
 *
 * @param clusters hash of the model whose clusters the histograms are of
 * @param topics what documents become
 * @param resampling how they are drawn
 * @param hash of the model, 64 hexadecimal digits
 */
public record BasisModel(String clusters, BasisTopics topics, Resampling resampling, String hash) {
  /** The kind of model. */
  public static final String KIND = "basis-topics";

  /** Copies of one document in all topics together, at most. */
  public static final int MOST_COPIES = 4_096;

  private static final String POOL = "pool.json";

  /**
   * Writes a model.
   *
   * @param pool histogram of the documents that are resampled
   * @param basis histogram of each topic, by its name
   * @throws BadInputException if topics cannot be made of these, or the directory has something
   */
  public static BasisModel write(
      Path directory, Histogram pool, SortedMap<String, Histogram> basis, Resampling resampling) {
    BasisTopics topics = topics(pool, basis, resampling);
    ObjectNode parameters =
        ModelDirectory.parameters()
            .put("clusters", pool.clusters())
            .put("scale", resampling.scale())
            .put("max-copies", resampling.maxCopies())
            .put("seed", resampling.seed());
    ArrayNode names = parameters.putArray("topics");
    Map<String, byte[]> files = new TreeMap<>(Map.of(POOL, Histograms.bytes(pool)));
    basis.forEach(
        (name, histogram) -> {
          names.add(name);
          files.put(file(name), Histograms.bytes(histogram));
        });
    String hash = ModelDirectory.write(directory, KIND, parameters, files).hash();
    return new BasisModel(pool.clusters(), topics, resampling, hash);
  }

  /**
   * Reads a model.
   *
   * @throws BadInputException if there is none, or it cannot be one
   */
  public static BasisModel open(Path directory) {
    return of(ModelDirectory.open(directory, KIND, ModelDirectory.LARGEST));
  }

  /** The model that a directory has, of this kind; see {@link #open}. */
  public static BasisModel of(ModelDirectory model) {
    try {
      Resampling resampling =
          new Resampling(
              model.parameter("scale").asDouble(Double.NaN),
              model.number("max-copies", 1, Resampling.MOST),
              seed(model.parameter("seed")));
      SortedMap<String, Histogram> basis = new TreeMap<>();
      for (JsonNode name : model.parameter("topics")) {
        basis.put(name.asText(), histogram(model, file(name.asText())));
      }
      Histogram pool = histogram(model, POOL);
      if (!model.parameter("clusters").asText().equals(pool.clusters())) {
        throw new BadInputException("clusters must be those of " + POOL + ", " + pool.clusters());
      }
      return new BasisModel(
          pool.clusters(), topics(pool, basis, resampling), resampling, model.hash());
    } catch (BadInputException e) {
      throw model.refused(String.valueOf(e.getMessage()));
    }
  }

  /** What the topics are called, sorted. */
  public List<String> names() {
    return topics.names();
  }

  private static BasisTopics topics(
      Histogram pool, SortedMap<String, Histogram> basis, Resampling resampling) {
    for (String name : basis.keySet()) {
      if (!Topics.NAME.matcher(name).matches()) {
        throw new BadInputException(
            "topics must be called 1 to 63 letters, digits, '-' and '_': found '" + name + "'");
      }
    }
    if ((long) basis.size() * resampling.maxCopies() > MOST_COPIES) {
      throw new BadInputException(
          "topics times max-copies must be at most "
              + MOST_COPIES
              + ": found "
              + basis.size()
              + " and "
              + resampling.maxCopies());
    }
    return BasisTopics.of(pool, basis, resampling);
  }

  private static long seed(JsonNode value) {
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new BadInputException("seed must be a whole number of 64 bits: found " + value);
    }
    return value.longValue();
  }

  private static Histogram histogram(ModelDirectory model, String file) {
    return Histograms.of(file, model.file(file, -1));
  }

  private static String file(String topic) {
    return "topic-" + topic + ".json";
  }
}
