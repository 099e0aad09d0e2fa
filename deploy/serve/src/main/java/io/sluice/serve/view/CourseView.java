package io.sluice.serve.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.serve.course.Columns;
import io.sluice.serve.course.Note;
import io.sluice.serve.course.Series;
import io.sluice.serve.follow.OpenRun;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a run mixed and measured along its batches, as the API has it. */
public final class CourseView {
  /** Most domains that have a column of their own. */
  public static final int MOST = 256;

  private final OpenRun.Picture picture;
  private final List<String> domains;
  private final Columns columns;

  private CourseView(OpenRun.Picture picture, int top, Columns.By by) {
    this.picture = picture;
    this.domains = picture.fold().state().settings().domains();
    this.columns = Columns.greatest(values(by), top);
  }

  /**
   * The course of a run.
   *
   * @param top how many domains have a column of their own
   * @param by what these have most of: weight, change or gap
   * @throws IllegalArgumentException if one of these is not possible
   */
  public static ObjectNode of(OpenRun.Picture picture, int top, String by) {
    if (top < 1 || top > MOST) {
      throw new IllegalArgumentException("top must be in [1, " + MOST + "]: " + top);
    }
    return new CourseView(picture, top, Columns.By.of(by)).json();
  }

  private double[] values(Columns.By by) {
    double[] weights = picture.fold().state().decided().shares();
    return switch (by) {
      case WEIGHT -> weights;
      case CHANGE -> Columns.changes(picture.course().weights().rows(), domains.size());
      case GAP -> gaps(weights);
    };
  }

  /** Loss above its target, where both are known, else how far the shares are off the weights. */
  private double[] gaps(double[] weights) {
    double[] gaps = new double[domains.size()];
    float[] targets = targets();
    float[] losses = Series.newest(picture.losses());
    float[] realised = Series.newest(picture.course().realised().rows());
    boolean aims = targets.length > 0 && losses.length > 0;
    for (int i = 0; i < gaps.length; i++) {
      double gap =
          aims
              ? (i < losses.length ? losses[i] : Float.NaN) - targets[i]
              : Math.abs(weights[i] - (i < realised.length ? realised[i] : 0));
      gaps[i] = Double.isNaN(gap) ? Double.NEGATIVE_INFINITY : gap;
    }
    return gaps;
  }

  /**
   * Held-out losses that the policy aims at, NaN where it has none; empty if it has none at all.
   */
  private float[] targets() {
    Map<String, String> settings = picture.fold().spec().getPolicySettings();
    if (settings.keySet().stream().noneMatch(key -> key.startsWith("targets."))) {
      return new float[0];
    }
    float[] targets = new float[domains.size()];
    for (int i = 0; i < targets.length; i++) {
      String target = settings.get("targets." + domains.get(i));
      targets[i] = target == null ? Float.NaN : Float.parseFloat(target);
    }
    return targets;
  }

  private ObjectNode json() {
    ObjectNode json = Json.object();
    json.put("runId", picture.fold().runId());
    json.put("timeline", picture.fold().state().position().timeline());
    json.put("granted", picture.fold().state().position().granted());
    ArrayNode names = json.putArray("columns");
    for (int domain : columns.shown()) {
      names.add(domains.get(domain));
    }
    json.put("others", columns.others().length);
    Series weights = picture.course().weights();
    Series realised = picture.course().realised();
    points(json.putObject("weights"), weights.rows(), 0, Columns.Rest.SUM, weights.isThinned());
    points(json.putObject("realised"), realised.rows(), 0, Columns.Rest.SUM, realised.isThinned());
    points(json.putObject("losses"), picture.losses(), Float.NaN, Columns.Rest.MEAN, false);
    points(json.putObject("alignments"), picture.alignments(), Float.NaN, Columns.Rest.MEAN, false);
    float[] targets = targets();
    if (targets.length == 0) {
      json.putNull("targets");
    } else {
      ArrayNode aims = json.putArray("targets");
      for (float target : columns.of(targets, Float.NaN, Columns.Rest.MEAN)) {
        Json.add(aims, target);
      }
    }
    ArrayNode notes = json.putArray("notes");
    picture.course().notes().forEach(note -> add(notes.addObject(), note));
    return json;
  }

  private void points(
      ObjectNode json, List<Series.Row> rows, float missing, Columns.Rest rest, boolean thinned) {
    ArrayNode batches = json.putArray("batches");
    ArrayNode[] values = new ArrayNode[columns.count()];
    ArrayNode all = json.putArray("values");
    for (int i = 0; i < values.length; i++) {
      values[i] = all.addArray();
    }
    for (Series.Row row : rows) {
      batches.add(row.batch());
      float[] each = columns.of(row.values(), missing, rest);
      for (int i = 0; i < each.length; i++) {
        Json.add(values[i], each[i]);
      }
    }
    json.put("thinned", thinned);
  }

  private static void add(ObjectNode json, Note note) {
    json.put("kind", note.kind().name().toLowerCase(Locale.ROOT));
    json.put("timeline", note.timeline());
    json.put("batch", note.batch());
    json.put("text", note.text());
  }
}
