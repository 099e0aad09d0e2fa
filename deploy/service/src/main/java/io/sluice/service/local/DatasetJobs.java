package io.sluice.service.local;

import io.sluice.control.purge.Purges;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Purge;
import io.sluice.schema.segment.InPlace;
import io.sluice.service.flink.JobRunner;
import io.sluice.service.flink.RunningJob;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One PrepareJob for each dataset. A dataset that changes has its job started again from its last
 * checkpoint, and one that is deleted has it ended; one that cannot be prepared is reported, does
 * not hold up the others, and is tried again after a pause that grows.
 */
public final class DatasetJobs {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetJobs.class);

  private final JobRunner runner;
  private final KafkaAccess access;
  private final Preparation preparation;
  private final Consumer<DatasetSpec> topics;
  private final LongSupplier nanos;
  private final Consumer<String> events;
  private final PurgeHold hold;
  private final Map<String, Prepared> datasets = new LinkedHashMap<>();

  /** Datasets that were deleted and whose jobs have not ended; some are put back meanwhile. */
  private final LeavingJobs<DatasetSpec> leaving = new LeavingJobs<>();

  /** A dataset that shall be prepared, and its job. */
  private static final class Prepared {
    private DatasetSpec spec;
    private final KeptJob job;

    private Prepared(DatasetSpec spec, KeptJob job) {
      this.spec = spec;
      this.job = job;
    }
  }

  /**
   * Jobs of no dataset yet.
   *
   * @param preparation of each dataset
   * @param events told, in a sentence, what happens
   */
  public DatasetJobs(
      JobRunner runner, KafkaAccess access, Preparation preparation, Consumer<String> events) {
    this(
        runner,
        access,
        preparation,
        spec -> ensureTopics(access, spec),
        new PurgeHold(new Purges(access)::sayStopped),
        System::nanoTime,
        events);
  }

  /**
   * @param topics makes a dataset's topics
   * @param hold keeps datasets from being prepared
   * @param nanos a clock for pauses, as {@link System#nanoTime}
   */
  DatasetJobs(
      JobRunner runner,
      KafkaAccess access,
      Preparation preparation,
      Consumer<DatasetSpec> topics,
      PurgeHold hold,
      LongSupplier nanos,
      Consumer<String> events) {
    this.runner = runner;
    this.access = access;
    this.preparation = preparation;
    this.topics = topics;
    this.hold = hold;
    this.nanos = nanos;
    this.events = events;
  }

  /** Starts the dataset's job, unless it runs, or is tried again, with this very specification. */
  synchronized void apply(DatasetSpec published) {
    if (leaving.holds(published.getName(), published)) {
      return;
    }
    // Where documents are found, and segments put, is nothing to the job that makes blocks.
    DatasetSpec spec =
        DatasetSpec.newBuilder(InPlace.without(published))
            .setSources(List.of())
            .setStore("")
            .build();
    if (spec.getDomains().isEmpty()) {
      return;
    }
    Prepared dataset =
        datasets.computeIfAbsent(spec.getName(), name -> new Prepared(spec, kept(name)));
    if (spec.equals(dataset.spec) && dataset.job.isTried()) {
      return;
    }
    dataset.spec = spec;
    dataset.job.change();
    start(dataset);
  }

  /** Ends the job of a dataset that was deleted, at the next {@link #look}. */
  synchronized void delete(String name) {
    leaving.add(name);
  }

  /** Whether no job of a dataset that was deleted runs any more. */
  synchronized boolean hasLeft(String name) {
    return !leaving.has(name);
  }

  private boolean ends(String name) {
    Prepared dataset = datasets.get(name);
    if (dataset != null && !dataset.job.stop("dataset " + name + " is deleted")) {
      return false;
    }
    datasets.remove(name);
    return true;
  }

  private KeptJob kept(String name) {
    return new KeptJob("preparing dataset " + name, "dataset " + name, "prepared", nanos, events);
  }

  /** Adds a dataset's PrepareJob to the environment. */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess access,
      DatasetSpec spec,
      Preparation preparation) {
    env.setParallelism(preparation.parallelism());
    env.getCheckpointConfig().setCheckpointInterval(PrepareJob.checkpointInterval(spec).toMillis());
    PrepareJob.build(env, access, spec, preparation.threads(), preparation.roots());
  }

  /** Takes the purge that is under way: while it goes on, no job reads or writes its topics. */
  synchronized void purging(Optional<Purge> purge) {
    hold.take(purge);
  }

  /**
   * Tries the starts again that are due, stops jobs that a purge waits for, and reports those that
   * have ended or do not come to run.
   */
  synchronized void look() {
    leaving.look(this::ends, this::apply);
    for (Prepared dataset : datasets.values()) {
      if (leaving.has(dataset.spec.getName())) {
        continue; // It has not ended yet.
      }
      if (hold.holds(dataset.spec)) {
        stop(dataset);
        continue;
      }
      if (dataset.job.isDue()) {
        start(dataset);
      }
      dataset.job.look();
    }
  }

  private void stop(Prepared dataset) {
    String name = dataset.spec.getName();
    if (dataset.job.stop("dataset " + name + " is not prepared while documents are purged")) {
      try {
        hold.stopped(name);
      } catch (RuntimeException e) {
        LOG.warn("that dataset {} is stopped is not told yet; trying again", name, e);
      }
    }
  }

  private void start(Prepared dataset) {
    DatasetSpec spec = dataset.spec;
    String name = spec.getName();
    if (hold.holds(spec)) {
      return; // It is looked at again.
    }
    String job = access.topics().prefix() + "prepare-" + name;
    Consumer<StreamExecutionEnvironment> pipeline = env -> build(env, access, spec, preparation);
    dataset.job.start(
        () -> topics.accept(spec),
        () -> {
          RunningJob begun =
              hold.isAfresh(name) ? runner.runAfresh(job, pipeline) : runner.run(job, pipeline);
          hold.started(name);
          return begun;
        },
        "preparing dataset " + name + ": " + String.join(", ", spec.getDomains()));
  }

  private static void ensureTopics(KafkaAccess access, DatasetSpec spec) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
    }
  }
}
