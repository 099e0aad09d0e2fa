package io.sluice.mixture;

import static io.sluice.mixture.Golden.assertClose;
import static io.sluice.mixture.Golden.doubles;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.cluster.Centroids;
import io.sluice.mixture.cluster.ClusterTree;
import io.sluice.mixture.curriculum.PerplexityCurriculum;
import io.sluice.mixture.plan.LargestRemainder;
import io.sluice.mixture.policy.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The golden vectors about data: assignment to domains and apportionment. */
final class DataVectors {
  private DataVectors() {}

  static void importanceSampling(JsonNode file) {
    JsonNode flat = file.get("flat");
    List<List<double[]>> domains = new ArrayList<>();
    flat.get("domains").forEach(domain -> domains.add(List.of(points(domain))));
    Centroids centroids = Centroids.ofMeans(domains);
    for (int i = 0; i < centroids.size(); i++) {
      assertClose(
          centroids.centre(i), doubles(flat.get("expected_centroids").get(i)), "centroid " + i);
    }
    double[][] specific = points(flat.get("specific"));
    assertAssigned(centroids, specific, flat.get("expected_assignment"));
    long[] counts = centroids.histogram(Arrays.asList(specific));
    Map<String, String> settings = new TreeMap<>();
    Golden.put(settings, "histogram", Arrays.stream(counts).asDoubleStream().toArray());
    List<String> names = Golden.domains(counts.length);
    double[] shares =
        Policies.create("importance-sampling", settings, names)
            .startingShares(new double[counts.length]);
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= specific.length;
    }
    assertClose(shares, doubles(flat.get("expected_alpha_is")), "weights");
    JsonNode ties = file.get("ties");
    assertAssigned(
        Centroids.of(points(ties.get("centroids"))),
        points(ties.get("points")),
        ties.get("expected_assignment"));
    hierarchy(file.get("hierarchy"));
  }

  private static void hierarchy(JsonNode hierarchy) {
    List<ClusterTree> fine = new ArrayList<>();
    hierarchy.get("fine").forEach(f -> fine.add(ClusterTree.leaves(Centroids.of(points(f)))));
    ClusterTree tree = new ClusterTree(Centroids.of(points(hierarchy.get("coarse"))), fine);
    for (JsonNode point : Golden.list(hierarchy.get("points"))) {
      double[] at = doubles(point.get("point"));
      assertThat(tree.descend(at)).isEqualTo(point.get("descent_leaf").intValue());
      assertThat(tree.flat().nearest(at)).isEqualTo(point.get("flat_leaf").intValue());
    }
  }

  private static void assertAssigned(Centroids centroids, double[][] points, JsonNode expected) {
    assertThat(expected).hasSize(points.length);
    for (int i = 0; i < points.length; i++) {
      assertThat(centroids.nearest(points[i])).isEqualTo(expected.get(i).intValue());
    }
  }

  private static double[][] points(JsonNode rows) {
    double[][] points = new double[rows.size()][];
    for (int i = 0; i < points.length; i++) {
      points[i] = doubles(rows.get(i));
    }
    return points;
  }

  static void apportionment(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      long total = golden.get("n").longValue();
      double[] quotas = Arrays.stream(doubles(golden.get("weights"))).map(w -> w * total).toArray();
      long[] expected =
          Golden.list(golden.get("expected_counts")).stream()
              .mapToLong(JsonNode::longValue)
              .toArray();
      assertThat(LargestRemainder.apportion(quotas, total)).isEqualTo(expected);
    }
  }

  static void curriculum(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      List<PerplexityCurriculum.Scored> documents = new ArrayList<>();
      golden
          .get("items_id_ppl_tokens")
          .forEach(
              item ->
                  documents.add(
                      new PerplexityCurriculum.Scored(
                          item.get(0).longValue(),
                          item.get(1).doubleValue(),
                          item.get(2).longValue())));
      List<PerplexityCurriculum.Placed> expected =
          Golden.list(golden.get("expected_order")).stream()
              .map(
                  placed ->
                      new PerplexityCurriculum.Placed(
                          placed.get("id").longValue(), placed.get("group").intValue()))
              .toList();
      assertThat(PerplexityCurriculum.order(documents, golden.get("n_groups").intValue()))
          .isEqualTo(expected);
    }
  }
}
