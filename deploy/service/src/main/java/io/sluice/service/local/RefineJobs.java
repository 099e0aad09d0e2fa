package io.sluice.service.local;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.refine.RefineJob;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.service.flink.JobRunner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One RefineJob for each refinery, which goes on from its last checkpoint. One that cannot be
 * started is reported, does not hold up the others, and is tried again after a pause that grows.
 */
public final class RefineJobs {
  private final JobRunner runner;
  private final KafkaAccess access;
  private final Preparation preparation;
  private final Consumer<RefineSpec> topics;
  private final LongSupplier nanos;
  private final Consumer<String> events;
  private final Map<String, Refined> refineries = new LinkedHashMap<>();
  private final LeavingJobs<RefineSpec> leaving = new LeavingJobs<>();

  /** A refinery that shall run, and its job. */
  private static final class Refined {
    private RefineSpec spec;
    private final KeptJob job;

    private Refined(RefineSpec spec, KeptJob job) {
      this.spec = spec;
      this.job = job;
    }
  }

  /**
   * Jobs of no refinery yet.
   *
   * @param preparation with how much of the machines texts are examined
   * @param events told, in a sentence, what happens
   */
  public RefineJobs(
      JobRunner runner, KafkaAccess access, Preparation preparation, Consumer<String> events) {
    this(runner, access, preparation, spec -> ensureTopics(access, spec), System::nanoTime, events);
  }

  /**
   * @param topics makes a refinery's topics
   * @param nanos a clock for pauses, as {@link System#nanoTime}
   */
  RefineJobs(
      JobRunner runner,
      KafkaAccess access,
      Preparation preparation,
      Consumer<RefineSpec> topics,
      LongSupplier nanos,
      Consumer<String> events) {
    this.runner = runner;
    this.access = access;
    this.preparation = preparation;
    this.topics = topics;
    this.nanos = nanos;
    this.events = events;
  }

  /** Starts the refinery's job, unless it runs, or is tried again, with this specification. */
  synchronized void apply(RefineSpec spec) {
    if (leaving.holds(spec.getName(), spec)) {
      return;
    }
    Refined refinery =
        refineries.computeIfAbsent(spec.getName(), name -> new Refined(spec, kept(name)));
    if (spec.equals(refinery.spec) && refinery.job.isTried()) {
      return;
    }
    refinery.spec = spec;
    refinery.job.change();
    start(refinery);
  }

  /** Ends the job of a refinery that was deleted, at the next {@link #look}. */
  synchronized void delete(String name) {
    leaving.add(name);
  }

  /** Whether no job of a refinery that was deleted runs any more. */
  synchronized boolean hasLeft(String name) {
    return !leaving.has(name);
  }

  private boolean ends(String name) {
    Refined refinery = refineries.get(name);
    if (refinery != null && !refinery.job.stop("refinery " + name + " is deleted")) {
      return false;
    }
    refineries.remove(name);
    return true;
  }

  /**
   * Ends those that were deleted, tries the starts again that are due, and reports jobs that have
   * ended or do not run.
   */
  synchronized void look() {
    leaving.look(this::ends, this::apply);
    for (Refined refinery : refineries.values()) {
      if (leaving.has(refinery.spec.getName())) {
        continue; // It has not ended yet.
      }
      if (refinery.job.isDue()) {
        start(refinery);
      }
      refinery.job.look();
    }
  }

  /** Adds a refinery's job to the environment. */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess access,
      RefineSpec spec,
      Preparation preparation) {
    env.setParallelism(preparation.parallelism());
    env.getCheckpointConfig().setCheckpointInterval(RefineJob.checkpointInterval(spec).toMillis());
    RefineJob.build(env, access, spec, preparation.threads());
  }

  private KeptJob kept(String name) {
    return new KeptJob("refining " + name, "refinery " + name, "run", nanos, events);
  }

  private void start(Refined refinery) {
    RefineSpec spec = refinery.spec;
    String job = access.topics().prefix() + "refine-" + spec.getName();
    refinery.job.start(
        () -> topics.accept(spec),
        () -> runner.run(job, env -> build(env, access, spec, preparation)),
        "refining "
            + spec.getName()
            + ": "
            + String.join(", ", spec.getInputs())
            + " to "
            + spec.getDomains().size()
            + " domains");
  }

  private static void ensureTopics(KafkaAccess access, RefineSpec spec) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureRefinery(spec);
    }
  }
}
