package io.sluice.cli.plan.form;

import io.sluice.cli.plan.need.ByteEstimates;
import io.sluice.cli.plan.need.Plan;
import io.sluice.cli.plan.need.PlannedTopic;
import io.sluice.cli.plan.need.PlannedUser;
import io.sluice.control.rights.Right;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** A plan as programs read it; what is not known is not there. */
public final class PlanView {
  private PlanView() {}

  public static Map<String, Object> of(Plan plan) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("brokers", plan.brokers());
    view.put("asked", plan.asked());
    view.put("topics", plan.topics().stream().map(PlanView::topic).toList());
    view.put("bytes", plan.bytes());
    view.put("copied-bytes", plan.copiedBytes());
    view.put("datasets", plan.datasets().stream().map(PlanView::dataset).toList());
    view.put("runs", plan.runs().stream().map(PlanView::run).toList());
    view.put("users", plan.users().stream().map(PlanView::user).toList());
    view.put("assumptions", ByteEstimates.ASSUMPTIONS);
    view.put("notes", plan.notes());
    return view;
  }

  private static Map<String, Object> topic(PlannedTopic topic) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("topic", topic.topic());
    view.put("kind", topic.owner().kind().word());
    view.put("name", topic.owner().name());
    view.put("partitions", topic.partitions());
    put(view, "replicas", topic.replicas());
    view.put("config", topic.sorted());
    view.put("standing", topic.standing().words());
    view.put("differences", topic.differences());
    put(view, "bytes", topic.bytes());
    return view;
  }

  private static Map<String, Object> dataset(Plan.OfDataset dataset) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("dataset", dataset.dataset());
    put(view, "tokens", dataset.tokens());
    view.put("from", dataset.from());
    put(view, "store-bytes", dataset.store());
    return view;
  }

  private static Map<String, Object> run(Plan.OfRun run) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("run", run.run());
    view.put("dataset", run.dataset());
    put(view, "tokens", run.tokens());
    view.put("memory", run.memory());
    run.evaluation().ifPresent(cost -> view.put("evaluation", cost));
    return view;
  }

  private static Map<String, Object> user(PlannedUser user) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("user", user.user());
    view.put("role", user.role());
    view.put("rights", user.rights().stream().map(PlanView::right).toList());
    put(view, "producer-byte-rate", user.quota().producer());
    put(view, "consumer-byte-rate", user.quota().consumer());
    return view;
  }

  private static Map<String, Object> right(Right right) {
    return Map.of(
        "type", right.type().name(),
        "pattern", right.pattern().name(),
        "name", right.name(),
        "operations", right.operations().stream().map(Enum::name).toList());
  }

  private static void put(Map<String, Object> view, String key, OptionalLong value) {
    value.ifPresent(number -> view.put(key, number));
  }
}
