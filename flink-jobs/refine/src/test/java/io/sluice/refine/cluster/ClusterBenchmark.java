package io.sluice.refine.cluster;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to embed a text, and to find its cluster among 64^2 by descent and among all. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ClusterBenchmark {
  private static final int BRANCHING = 64;

  @Param({"256"})
  private int dimension;

  private float[][] points = {};
  private HashedEmbedder embedder = HashedEmbedder.unweighted(1, 1);
  private String text = "";
  private ClusterTree tree =
      new ClusterTree(2, new Centroids[][] {{Centroids.of(new float[] {0})}});
  private int next;

  /** A full tree of points that are nobody's, and a text of 4096 characters. */
  @Setup
  public void prepare() {
    points = Points.blobs(BRANCHING * (BRANCHING + 1), dimension, BRANCHING, 1, 3);
    Centroids[] nodes = new Centroids[BRANCHING + 1];
    for (int i = 0; i < nodes.length; i++) {
      float[][] centres = new float[BRANCHING][];
      System.arraycopy(points, i * BRANCHING, centres, 0, BRANCHING);
      nodes[i] = Centroids.of(centres);
    }
    Centroids[] fine = new Centroids[BRANCHING];
    System.arraycopy(nodes, 1, fine, 0, BRANCHING);
    tree = new ClusterTree(BRANCHING, new Centroids[][] {{nodes[0]}, fine});
    embedder = HashedEmbedder.unweighted(dimension, HashedEmbedder.CHARACTERS);
    StringBuilder words = new StringBuilder();
    for (int i = 0; words.length() < HashedEmbedder.CHARACTERS; i++) {
      words.append("word").append(i * i % 301).append(i % 5 == 0 ? ", " : " ");
    }
    text = words.toString();
  }

  /** A leaf by descent. */
  @Benchmark
  public int descend() {
    return tree.descend(point());
  }

  /** The nearest leaf of all. */
  @Benchmark
  public int nearest() {
    return tree.nearest(point());
  }

  /** The vector of a text. */
  @Benchmark
  public float[] embed() {
    return embedder.embed(text);
  }

  private float[] point() {
    next = next + 1 == points.length ? 0 : next + 1;
    return points[next];
  }
}
