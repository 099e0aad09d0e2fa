package io.sluice.mixture.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The reports of one step. The first value of each (attempt, rank) counts, and the first attempt
 * that is complete in log order wins the step for ever: duplicates, late ranks and repeated
 * measurements change nothing.
 */
public final class StepReports {
  private static final byte VERSION = 1;

  private final Map<String, TreeMap<Integer, Report>> attempts = new LinkedHashMap<>();
  private String winner = "";

  /** What became of a report. */
  public enum Offer {
    COUNTED,
    DUPLICATE,
    DECIDED,
    WORLD_SIZE_DIFFERS
  }

  /** The merged measurement that won a step: mean per domain, NaN where the count is 0. */
  public record Winner(String attempt, double[] means) {}

  /** Takes a report that {@link Report#refusal} does not refuse. */
  public Offer offer(Report report) {
    if (!winner.isEmpty()) {
      return Offer.DECIDED;
    }
    TreeMap<Integer, Report> ranks =
        attempts.computeIfAbsent(report.attempt(), attempt -> new TreeMap<>());
    if (!ranks.isEmpty() && ranks.firstEntry().getValue().worldSize() != report.worldSize()) {
      return Offer.WORLD_SIZE_DIFFERS;
    }
    if (ranks.putIfAbsent(report.rank(), report) != null) {
      return Offer.DUPLICATE;
    }
    if (ranks.size() == report.worldSize()) {
      winner = report.attempt();
      attempts.keySet().retainAll(java.util.Set.of(winner));
    }
    return Offer.COUNTED;
  }

  /** The measurement that won, its ranks merged in rank order; empty while none is complete. */
  public Optional<Winner> winner() {
    if (winner.isEmpty()) {
      return Optional.empty();
    }
    TreeMap<Integer, Report> ranks = attempts.get(winner);
    int domains = ranks.firstEntry().getValue().sums().length;
    double[] means = new double[domains];
    for (int i = 0; i < domains; i++) {
      double sum = 0;
      long count = 0;
      for (Report report : ranks.values()) {
        sum += report.sums()[i];
        count += report.counts()[i];
      }
      means[i] = count == 0 ? Double.NaN : sum / count;
    }
    return Optional.of(new Winner(winner, means));
  }

  /** Who has reported, for people: {@code attempt: ranks of world size}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    attempts.forEach(
        (attempt, ranks) ->
            text.append(text.length() == 0 ? "" : ", ")
                .append(attempt)
                .append(": ")
                .append(ranks.size())
                .append(" of ")
                .append(ranks.firstEntry().getValue().worldSize())
                .append(" ranks"));
    return text.toString();
  }

  /** Versioned bytes that {@link #decode} reads. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(winner);
      out.writeInt(attempts.values().stream().mapToInt(Map::size).sum());
      for (TreeMap<Integer, Report> ranks : attempts.values()) {
        for (Report report : ranks.values()) {
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
      reports.winner = in.readUTF();
      for (int left = in.readInt(); left > 0; left--) {
        Report report = read(in);
        reports
            .attempts
            .computeIfAbsent(report.attempt(), attempt -> new TreeMap<>())
            .put(report.rank(), report);
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
