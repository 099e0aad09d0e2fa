package io.sluice.lab.reproduce.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Comparison;
import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.statistics.Interval;
import java.util.Collection;
import java.util.SortedMap;

/** A report for programs, as {@code report.schema.json} has it. */
final class ReportJson {
  static final String FORMAT = "sluice-reproduction";
  static final int VERSION = 1;

  private static final int MOST_STEPS = 50;
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportJson() {}

  static String text(Report report) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    try {
      return JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(indenter))
              .writeValueAsString(json(report))
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static ObjectNode json(Report report) {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT);
    json.put("version", VERSION);
    json.put("form", report.form());
    json.put("claimsSha256", report.claimsSha256());
    ArrayNode claims = json.putArray("claims");
    report.judgements().forEach(judgement -> judgement(claims.addObject(), judgement));
    ArrayNode notRun = json.putArray("notRun");
    report.notRun().forEach(claim -> notRun.add(claim.id()));
    ArrayNode experiments = json.putArray("experiments");
    for (String name : report.results().experiments().keySet()) {
      ObjectNode experiment = experiments.addObject().put("name", name);
      report.departures(name).forEach(experiment.putArray("departures")::add);
      ArrayNode arms = experiment.putArray("arms");
      report
          .results()
          .arms(name)
          .forEach((arm, seeds) -> arm(arms.addObject().put("name", arm), seeds));
    }
    report.environment().forEach(json.putObject("environment")::put);
    return json;
  }

  private static void judgement(ObjectNode into, Judgement judgement) {
    Claim claim = judgement.claim();
    into.put("id", claim.id());
    into.put("paper", claim.paper().key());
    into.put("where", claim.where());
    into.put("says", claim.says());
    into.put("experiment", claim.experiment());
    into.put("of", claim.of());
    claim.comparison().other().ifPresent(other -> into.put("against", other));
    if (claim.comparison() instanceof Comparison.Ratio ratio) {
      into.put("ratio", ratio.ratio());
    }
    if (claim.comparison() instanceof Comparison.Threshold threshold) {
      into.put("threshold", threshold.value());
    }
    into.put("measure", claim.measure());
    into.put("direction", claim.direction().key());
    into.put("leastEffect", claim.leastEffect());
    into.put("verdict", judgement.verdict().words());
    into.put("reason", judgement.reason());
    judgement.seedsToDecide().ifPresent(seeds -> into.put("seedsToDecide", seeds));
    ArrayNode differences = into.putArray("differences");
    judgement
        .differences()
        .bySeed()
        .forEach(
            (seed, difference) ->
                differences.addObject().put("seed", seed).put("difference", difference));
    judgement.differences().missing().forEach(into.putArray("missing")::add);
    judgement
        .measured()
        .ifPresent(
            evidence -> {
              ObjectNode node = into.putObject("evidence");
              node.put("pairs", evidence.pairs());
              node.put("mean", evidence.mean());
              node.put("deviation", evidence.deviation());
              interval(node.putObject("interval"), evidence.interval());
              interval(node.putObject("bootstrap"), evidence.bootstrap());
              node.put("p", evidence.p());
              node.put("oneSided", evidence.oneSided());
              node.put("adjusted", evidence.adjusted());
            });
  }

  private static void interval(ObjectNode into, Interval interval) {
    into.put("low", interval.low()).put("high", interval.high());
  }

  private static void arm(ObjectNode into, SortedMap<Long, Outcome> outcomes) {
    ArrayNode seeds = into.putArray("seeds");
    outcomes.forEach(
        (seed, outcome) -> {
          ObjectNode node = seeds.addObject().put("seed", seed);
          if (outcome instanceof Outcome.Failed failed) {
            node.put("failed", failed.reason());
          } else {
            ((Outcome.Finished) outcome).measures().forEach(node.putObject("measures")::put);
          }
        });
    courses(into.putArray("courses"), outcomes.values());
  }

  private static void courses(ArrayNode into, Collection<Outcome> seeds) {
    Courses.of(seeds, MOST_STEPS)
        .forEach(
            (name, course) -> {
              ObjectNode node = into.addObject().put("name", name);
              numbers(node.putArray("steps"), course.steps());
              numbers(node.putArray("mean"), course.mean());
              numbers(node.putArray("low"), course.low());
              numbers(node.putArray("high"), course.high());
            });
  }

  private static void numbers(ArrayNode into, double[] values) {
    for (double value : values) {
      into.add(value);
    }
  }
}
