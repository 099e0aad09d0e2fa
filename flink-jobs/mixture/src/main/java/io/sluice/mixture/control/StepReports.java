package io.sluice.mixture.control;

import io.sluice.mixture.policy.Observation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The reports of one step, each metric by itself: the first value of each (attempt, rank) counts,
 * and the first attempt that is complete in log order wins the step for ever. Duplicates, late
 * ranks and repeated measurements change nothing.
 */
public final class StepReports {
  /** Most attempts at a metric of a step that are open at once. */
  public static final int MAX_ATTEMPTS = 16;

  /** Most sums of a metric of a step that are kept, over all attempts and ranks. */
  public static final long MAX_SUMS = 1 << 24;

  private static final byte VERSION = 1;

  private final TreeMap<String, Contest> contests = new TreeMap<>();

  /** The attempts at one metric, in the order in which they began, and which one won. */
  private static final class Contest {
    final Map<String, TreeMap<Integer, Report>> attempts = new LinkedHashMap<>();
    String winner = "";

    /**
     * Whether the report can be kept, if need be in place of the oldest attempt that no second rank
     * has joined: repeated measurements must not pile up, nor push out one that is under way.
     */
    boolean hasRoom(Report report) {
      long sums = report.sums().length;
      for (TreeMap<Integer, Report> ranks : attempts.values()) {
        for (Report kept : ranks.values()) {
          sums += kept.sums().length;
        }
      }
      if (sums > MAX_SUMS) {
        return false;
      }
      if (attempts.size() < MAX_ATTEMPTS || attempts.containsKey(report.attempt())) {
        return true;
      }
      Optional<String> alone =
          attempts.entrySet().stream()
              .filter(attempt -> attempt.getValue().size() == 1)
              .map(Map.Entry::getKey)
              .findFirst();
      alone.ifPresent(attempts::remove);
      return alone.isPresent();
    }
  }

  /** What became of a report. */
  public enum Offer {
    COUNTED,
    DUPLICATE,
    DECIDED,
    WORLD_SIZE_DIFFERS,
    TOO_MANY
  }

  /**
   * The merged measurements that won a step.
   *
   * @param attempt nonces of the winners, without repetition, in the order of the metrics
   */
  public record Winner(String attempt, Observation observation) {}

  /** Takes a report that {@link Report#refusal} does not refuse. */
  public Offer offer(Report report) {
    Contest contest = contests.computeIfAbsent(report.metric(), metric -> new Contest());
    if (!contest.winner.isEmpty()) {
      return Offer.DECIDED;
    }
    if (!contest.hasRoom(report)) {
      return Offer.TOO_MANY;
    }
    TreeMap<Integer, Report> ranks =
        contest.attempts.computeIfAbsent(report.attempt(), attempt -> new TreeMap<>());
    if (!ranks.isEmpty() && ranks.firstEntry().getValue().worldSize() != report.worldSize()) {
      return Offer.WORLD_SIZE_DIFFERS;
    }
    if (ranks.putIfAbsent(report.rank(), report) != null) {
      return Offer.DUPLICATE;
    }
    if (ranks.size() == report.worldSize()) {
      contest.winner = report.attempt();
      contest.attempts.keySet().retainAll(Set.of(contest.winner));
    }
    return Offer.COUNTED;
  }

  /**
   * The measurements that won, their ranks merged in rank order; empty while some metric has none.
   */
  public Optional<Winner> winner(long step, List<String> metrics) {
    Observation merged = Observation.at(step);
    Set<String> attempts = new LinkedHashSet<>();
    for (String metric : metrics) {
      Contest contest = contests.get(metric);
      if (contest == null || contest.winner.isEmpty()) {
        return Optional.empty();
      }
      merged = merge(merged, metric, contest.attempts.get(contest.winner).values());
      attempts.add(contest.winner);
    }
    return Optional.of(new Winner(String.join(",", attempts), merged));
  }

  private static Observation merge(Observation merged, String metric, Collection<Report> ranks) {
    int length = ranks.iterator().next().sums().length;
    double[] sums = new double[length];
    long[] counts = new long[length];
    for (Report report : ranks) {
      for (int i = 0; i < length; i++) {
        sums[i] += report.sums()[i];
        counts[i] += report.counts()[i];
      }
    }
    return merged.with(metric, sums, counts);
  }

  /** The metrics of {@code wanted} that no attempt has completed. */
  List<String> missing(List<String> wanted) {
    return wanted.stream()
        .filter(metric -> !contests.containsKey(metric) || contests.get(metric).winner.isEmpty())
        .toList();
  }

  /** Who has reported, for people: {@code metric attempt: ranks of world size}. */
  @Override
  public String toString() {
    List<String> heard = new ArrayList<>();
    contests.forEach(
        (metric, contest) ->
            contest.attempts.forEach(
                (attempt, ranks) ->
                    heard.add(
                        metric
                            + " "
                            + attempt
                            + ": "
                            + ranks.size()
                            + " of "
                            + ranks.firstEntry().getValue().worldSize()
                            + " ranks")));
    return String.join(", ", heard);
  }

  /** Versioned bytes that {@link #decode} reads. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(contests.size());
      for (Map.Entry<String, Contest> entry : contests.entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeUTF(entry.getValue().winner);
        List<Report> reports =
            entry.getValue().attempts.values().stream()
                .flatMap(ranks -> ranks.values().stream())
                .toList();
        out.writeInt(reports.size());
        for (Report report : reports) {
          write(out, report);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The reports that {@link #encode} wrote. */
  public static StepReports decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "step reports must be of version " + VERSION + ": " + version);
      }
      StepReports reports = new StepReports();
      for (int metrics = in.readInt(); metrics > 0; metrics--) {
        Contest contest = new Contest();
        reports.contests.put(in.readUTF(), contest);
        contest.winner = in.readUTF();
        for (int left = in.readInt(); left > 0; left--) {
          Report report = read(in);
          contest
              .attempts
              .computeIfAbsent(report.attempt(), attempt -> new TreeMap<>())
              .put(report.rank(), report);
        }
      }
      return reports;
    } catch (IOException e) {
      throw new UncheckedIOException("step reports of " + bytes.length + " bytes are cut", e);
    }
  }

  private static void write(DataOutputStream out, Report report) throws IOException {
    out.writeInt(report.timeline());
    out.writeLong(report.step());
    out.writeUTF(report.attempt());
    out.writeInt(report.worldSize());
    out.writeInt(report.rank());
    out.writeUTF(report.metric());
    out.writeInt(report.sums().length);
    for (int i = 0; i < report.sums().length; i++) {
      out.writeDouble(report.sums()[i]);
      out.writeLong(report.counts()[i]);
    }
  }

  private static Report read(DataInputStream in) throws IOException {
    int timeline = in.readInt();
    long step = in.readLong();
    String attempt = in.readUTF();
    int worldSize = in.readInt();
    int rank = in.readInt();
    String metric = in.readUTF();
    int domains = in.readInt();
    double[] sums = new double[domains];
    long[] counts = new long[domains];
    for (int i = 0; i < domains; i++) {
      sums[i] = in.readDouble();
      counts[i] = in.readLong();
    }
    return new Report(timeline, step, attempt, worldSize, rank, metric, sums, counts);
  }
}
