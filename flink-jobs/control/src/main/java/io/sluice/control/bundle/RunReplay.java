package io.sluice.control.bundle;

import io.sluice.control.digest.StoreFiles;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunFollower;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.StatusFollower;
import io.sluice.control.history.TopicScan;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Repeats the run of a bundle: writes the entries that decide its batches into the log of a run
 * here, as a controller would that had decided so. While it does, the run is paused, so that nobody
 * else grants; at the end of the bundle it ends.
 *
 * @param file the bundle
 * @param name of the run here
 * @param files by which stores are read
 * @param ahead batches that may be granted ahead of the trainers; empty for all at once
 * @param nonces fresh, short names
 */
public record RunReplay(
    KafkaAccess access,
    BundleFile file,
    String name,
    StoreFiles files,
    OptionalLong ahead,
    Supplier<String> nonces) {
  private static final int AT_ONCE = 64;
  private static final long PAUSE_NANOS = 100_000_000;

  /** Checks the name, and how far ahead may be granted. */
  public RunReplay {
    Topics.requireName("--as", name);
    if (ahead.isPresent() && ahead.getAsLong() < 1) {
      throw new BadInputException("--ahead must be at least 1: " + ahead.getAsLong());
    }
  }

  /**
   * What was done.
   *
   * @param batches last batch of the bundle, which is granted
   * @param timelines that the run has
   * @param checked batches whose sequences were found to be those of the bundle
   * @param entries written now; 0 if the run was there
   * @param sha256 of the bundle
   */
  public record Repeated(
      String run,
      String runId,
      long batches,
      int timelines,
      long checked,
      long entries,
      String sha256) {}

  /**
   * Repeats it, or what of it is left to do.
   *
   * @throws BadInputException before anything is made, if the bundle is no run, the data here are
   *     not its, or another run has the name
   */
  public Repeated apply() {
    RunHistory history = history();
    long checked = new LocalData(access, file.bundle(), history, files).require();
    Optional<RunStart> existing =
        RunCatalog.read(access).find(name).flatMap(RunCatalog.Entry::start);
    RunFold begun = existing.isPresent() ? RunLogs.of(access).fold(existing.get()) : begin(history);
    long done = existing.isPresent() ? done(existing.get()) : 1;
    long written = isOver(begun) ? 0 : write(begun, (int) done, history);
    BundledCommands.write(
        access, new BundledLog.Named(name, begun.runId()), file.bundle().commands());
    return new Repeated(
        name,
        begun.runId(),
        history.state().position().granted(),
        history.state().position().timeline() + 1,
        checked,
        written,
        file.sha256());
  }

  private RunHistory history() {
    try {
      file.bundle().sets().forEach(DocumentHashes::of);
      return BundledLog.history(file.bundle().entries(), name);
    } catch (RuntimeException e) {
      throw new BadInputException(
          "the bundle's log is none that a controller writes: " + e.getMessage(), e);
    }
  }

  /** The mark by which a run is known that repeats this bundle. */
  private String mark() {
    return "its batches are those of the bundle with the SHA-256 " + file.sha256();
  }

  /** How many of the kept entries a run has that repeats this bundle. */
  private long done(RunStart start) {
    List<ControlRecord> here = BundledLog.of(RunHistory.read(access, start));
    RunFold fold = RunLogs.of(access).fold(start);
    if (fold.state().phase() == RunPhase.FAILED) {
      throw new BadInputException(
          "run '" + name + "' has failed, " + fold.why() + ": delete it, and apply again");
    }
    boolean whole = here.size() == file.bundle().entries().size();
    boolean own = fold.why().equals(mark());
    if (!own && !(whole && fold.state().phase().ended())) {
      throw new BadInputException(
          "run '" + name + "' exists, and does not repeat this bundle: delete it, or give --as");
    }
    for (int i = 0; i < here.size(); i++) {
      if (i >= file.bundle().entries().size()
          || !named(here.get(i)).equals(named(file.bundle().entries().get(i)))) {
        throw new BadInputException(
            "run '"
                + name
                + "' went another way than the bundle from entry "
                + i
                + " on: delete it, or give --as");
      }
    }
    return here.size();
  }

  private ControlRecord named(ControlRecord kept) {
    BundledLog.Named of = new BundledLog.Named(name, "");
    return BundledLog.placed(kept, of, "", LogPosition.start(""), "", 0);
  }

  private static boolean isOver(RunFold fold) {
    return fold.state().phase().ended();
  }

  private RunFold begin(RunHistory history) {
    RunSpec spec = history.specAt(0);
    if (!file.bundle().sets().isEmpty()) {
      List<DocumentHashes> sets = file.bundle().sets().stream().map(DocumentHashes::of).toList();
      new DocumentSets(access).add(sets, false, mark());
    }
    String runId = name + "." + nonces.get();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      String stream = admin.ensureRun(RunSpec.newBuilder(spec).setRun(name).build(), runId);
      try (LogAppender log = appender(runId, stream)) {
        log.await(reports(log, runId));
        // Together: a controller that reads of the start reads that it is not to grant.
        log.begin(file.bundle().entries().get(0), phase(RunPhase.PAUSED, 0));
      }
      RunFold fold =
          RunLogs.of(access)
              .byId(runId)
              .map(RunLogs.of(access)::fold)
              .orElseThrow(() -> new IllegalStateException("run " + runId + " was not begun"));
      if (!fold.why().equals(mark())) {
        admin.deleteRun(name, runId);
        throw new BadInputException("MixJob was faster, and granted batches itself: apply again");
      }
      return fold;
    }
  }

  private LogAppender appender(String runId, String streamTopicId) {
    return new LogAppender(access, new BundledLog.Named(name, runId), streamTopicId, nonces.get());
  }

  private List<Future<RecordMetadata>> reports(LogAppender log, String runId) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (TrainerFeedback each : file.bundle().reports()) {
      TrainerFeedback report = TrainerFeedback.newBuilder(each).setRunId(runId).build();
      sent.add(log.send(access.topics().feedback(name), WireCodec.encode(report)));
    }
    return sent;
  }

  private ControlRecord phase(RunPhase phase, int timeline) {
    return ControlRecord.newBuilder()
        .setRunId("")
        .setTimeline(timeline)
        .setSerial(0)
        .setBasedOn(-1)
        .setWriter("")
        .setTimeMillis(0)
        .setWhy(mark())
        .setBody(new RunStateChanged(phase.wireName(), "", false))
        .build();
  }

  /** Writes what is left, from a kept entry on, and the end. */
  private long write(RunFold begun, int from, RunHistory history) {
    List<ControlRecord> entries = file.bundle().entries();
    int whole = lastRewind(entries);
    int[] next = {from};
    try (LogAppender log = appender(begun.runId(), begun.streamTopicId());
        StatusFollower statuses = new StatusFollower(access);
        RunFollower follower = new RunFollower(access, begun)) {
      long before = ahead.isEmpty() ? 0 : progress(begun);
      while (next[0] < entries.size()) {
        long trained = statuses.newest(begun.runId()).map(RunStatus::getProgress).orElse(before);
        int end = Math.min(entries.size(), next[0] + AT_ONCE);
        while (end > next[0] && !mayGrant(entries, end - 1, whole, trained)) {
          end--;
        }
        if (end == next[0]) {
          LockSupport.parkNanos(PAUSE_NANOS);
        } else {
          log.append(entries.subList(next[0], end), follower.fold().state().position());
        }
        follower.catchUp(entry -> next[0] += taken(entry, log));
      }
      boolean completed =
          history.spec().getBatches() > 0
              && history.state().position().granted() >= history.spec().getBatches();
      RunPhase last = completed ? RunPhase.COMPLETED : RunPhase.STOPPED;
      while (!isOver(follower.fold())) {
        LogPosition at = follower.fold().state().position();
        log.append(List.of(phase(last, at.timeline())), at);
        follower.catchUp(entry -> taken(entry, log));
      }
    }
    return (long) entries.size() - from + (from == 1 ? 1 : 0);
  }

  /** Behind which no batch is left behind again: trainers that begin then see what stands alone. */
  private static int lastRewind(List<ControlRecord> entries) {
    int timeline = entries.get(entries.size() - 1).getTimeline();
    int first = entries.size() - 1;
    while (first > 0 && entries.get(first - 1).getTimeline() == timeline) {
      first--;
    }
    return first;
  }

  /** The last batch that trainers had reported when this was asked. */
  private long progress(RunFold run) {
    RunStatus status = new TopicScan(access).statuses().get(run.runId());
    return status == null ? 0 : status.getProgress();
  }

  private boolean mayGrant(List<ControlRecord> entries, int at, int whole, long trained) {
    if (ahead.isEmpty()
        || at <= whole
        || !(entries.get(at).getBody() instanceof MixtureGrant grant)) {
      return true;
    }
    long size = grant.getTo() - grant.getAfter();
    return grant.getTo() - trained <= Math.max(ahead.getAsLong(), size);
  }

  /** 1 for an entry of the bundle, 0 for one that decides no batch. */
  private int taken(ControlEntry entry, LogAppender log) {
    if (!BundledLog.isKept(entry)) {
      return 0;
    }
    if (!log.isOwn(entry.digests().own())) {
      throw new BadInputException(
          "somebody else changed run '"
              + name
              + "' while it was repeated, at entry "
              + entry.serial()
              + ": delete it, and apply the bundle again");
    }
    return 1;
  }
}
