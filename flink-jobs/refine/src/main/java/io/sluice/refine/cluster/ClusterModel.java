package io.sluice.refine.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.model.Models;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tree of clusters together with the embedder whose vectors it divides, as a model on disk:
 * {@code model.json} and, for each level, the centres of its clusters in the order of their ids in
 * {@code level-N.f32}, single-precision little-endian numbers. Safe for use by many threads.
 */
public final class ClusterModel {
  /** The kind of model. */
  public static final String KIND = "cluster-tree";

  /** The parameter with the embedder's kind, and what its other parameters and files begin with. */
  static final String EMBEDDER = "embedder";

  private final ClusterTree tree;
  private final Embedder embedder;
  private final Fit fit;
  private final String hash;

  /**
   * What a tree was fitted to, and how well.
   *
   * @param documents that were read
   * @param vectors of the sample of them that was used
   * @param levels what came out at each
   */
  public record Fit(long documents, int vectors, List<LevelSummary> levels) {
    /** Copies the list. */
    public Fit {
      levels = List.copyOf(levels);
    }
  }

  private ClusterModel(ClusterTree tree, Embedder embedder, Fit fit, String hash) {
    this.tree = tree;
    this.embedder = embedder;
    this.fit = fit;
    this.hash = hash;
  }

  /**
   * Writes a model.
   *
   * @throws BadInputException if the directory has something already, or cannot be written
   */
  public static ClusterModel write(
      Path directory, ClusterTree tree, StorableEmbedder embedder, Fit fit) {
    Map<String, byte[]> files = new HashMap<>();
    ObjectNode parameters =
        ModelDirectory.parameters()
            .put("levels", tree.levels())
            .put("branching", tree.branching())
            .put("dimension", tree.dimension());
    embedder.describe(parameters, files);
    ArrayNode children = parameters.putArray("children");
    for (int level = 1; level <= tree.levels(); level++) {
      ArrayNode counts = children.addArray();
      for (Centroids node : tree.nodes(level)) {
        counts.add(node.size());
      }
      files.put(file(level), rows(tree.nodes(level)));
    }
    ObjectNode fitted = parameters.putObject("fit");
    fitted.put("documents", fit.documents).put("vectors", fit.vectors);
    ArrayNode levels = fitted.putArray("levels");
    fit.levels.forEach(level -> add(levels.addObject(), level));
    ModelDirectory written = ModelDirectory.write(directory, KIND, parameters, files);
    return new ClusterModel(tree, embedder, fit, written.hash());
  }

  /**
   * Reads a model, whose embedder may be of any kind that is on the class path.
   *
   * @throws BadInputException if there is none, or it cannot be one
   */
  public static ClusterModel open(Path directory) {
    return of(ModelDirectory.open(directory, KIND, ModelDirectory.LARGEST));
  }

  /** The model that a directory has, of this kind; see {@link #open}. */
  public static ClusterModel of(ModelDirectory model) {
    int levels = model.number("levels", 1, ClusterTree.MOST_LEVELS);
    int branching = model.number("branching", 2, ClusterTree.MOST_CHILDREN);
    ClusterTree.checkShape(branching, levels);
    int dimension = model.number("dimension", 1, HashedEmbedder.MOST_DIMENSIONS);
    Centroids[][] nodes = new Centroids[levels][];
    int parents = 1;
    for (int level = 1; level <= levels; level++) {
      int[] counts = counts(model, level, parents, branching);
      parents = 0;
      for (int count : counts) {
        parents += count;
      }
      long bytes = (long) parents * dimension * Float.BYTES;
      FloatBuffer rows = Floats.read(model.file(file(level), bytes));
      nodes[level - 1] = new Centroids[counts.length];
      for (int i = 0; i < counts.length; i++) {
        nodes[level - 1][i] = centroids(model, rows, counts[i], dimension);
      }
    }
    Embedder embedder = embedder(model);
    if (embedder.dimension() != dimension) {
      throw model.refused(
          "dimension must be the embedder's, " + embedder.dimension() + ": found " + dimension);
    }
    return new ClusterModel(new ClusterTree(branching, nodes), embedder, fit(model), model.hash());
  }

  /** The clusters. */
  public ClusterTree tree() {
    return tree;
  }

  /** Makes the vectors that the tree divides. */
  public Embedder embedder() {
    return embedder;
  }

  /** What the tree was fitted to. */
  public Fit fit() {
    return fit;
  }

  /** The model's hash, 64 hexadecimal digits. */
  public String hash() {
    return hash;
  }

  /** The leaf that a text falls to, by {@linkplain ClusterTree#descend descent}. */
  public int leaf(String text) {
    return tree.descend(embedder.embed(text));
  }

  private static Embedder embedder(ModelDirectory model) {
    return model.parameter(EMBEDDER).asText().equals(HashedEmbedder.KIND)
        ? HashedEmbedder.of(model)
        : Models.of(model.part(EMBEDDER), Embedder.class);
  }

  private static String file(int level) {
    return "level-" + level + ".f32";
  }

  private static byte[] rows(Centroids[] nodes) {
    int dimension = nodes[0].dimension();
    int clusters = 0;
    for (Centroids node : nodes) {
      clusters += node.size();
    }
    float[] rows = new float[Math.multiplyExact(clusters, dimension)];
    int row = 0;
    for (Centroids node : nodes) {
      for (int i = 0; i < node.size(); i++) {
        System.arraycopy(node.centre(i), 0, rows, row++ * dimension, dimension);
      }
    }
    return Floats.bytes(rows);
  }

  private static int[] counts(ModelDirectory model, int level, int nodes, int branching) {
    JsonNode counts = model.parameter("children").path(level - 1);
    if (counts.size() != nodes) {
      throw model.refused(
          "children of level " + level + " must be " + nodes + " numbers: found " + counts.size());
    }
    int[] read = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      read[i] = counts.get(i).isInt() ? counts.get(i).intValue() : 0;
      if (read[i] < 1 || read[i] > branching) {
        throw model.refused(
            "children must be whole numbers from 1 to " + branching + ": found " + counts.get(i));
      }
    }
    return read;
  }

  private static Centroids centroids(
      ModelDirectory model, FloatBuffer rows, int count, int dimension) {
    float[][] centres = new float[count][dimension];
    for (float[] centre : centres) {
      rows.get(centre);
      for (float value : centre) {
        if (!Float.isFinite(value)) {
          throw model.refused("coordinates of centres must be finite: found " + value);
        }
      }
    }
    return Centroids.of(centres);
  }

  private static void add(ObjectNode node, LevelSummary level) {
    node.put("clusters", level.clusters())
        .put("inertia", level.inertia())
        .put("smallest", level.smallest())
        .put("median", level.median())
        .put("largest", level.largest());
  }

  private static Fit fit(ModelDirectory model) {
    JsonNode fit = model.parameter("fit");
    List<LevelSummary> levels = new ArrayList<>();
    for (JsonNode level : fit.path("levels")) {
      levels.add(
          new LevelSummary(
              level.path("clusters").asInt(),
              level.path("inertia").asDouble(),
              level.path("smallest").asInt(),
              level.path("median").asInt(),
              level.path("largest").asInt()));
    }
    return new Fit(fit.path("documents").asLong(), fit.path("vectors").asInt(), levels);
  }
}
