package io.sluice.cli.domain;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Printable;
import io.sluice.control.domain.DeadLetterLog;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice deadletter list}. */
@Command(name = "list", description = "List the newest dead letters, the newest last.")
final class ListDeadLetters extends CliCommand {
  private static final String ROW = "%7s  %-20s %-8s %-16s %-40s  %s%n";

  @Option(
      names = "--domain",
      paramLabel = "NAME",
      description = "Only those of a domain. Default: all.")
  private String domain = "";

  @Option(
      names = "-n",
      defaultValue = "20",
      paramLabel = "COUNT",
      description = "Most that are listed. Default: ${DEFAULT-VALUE}.")
  private int count = 20;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (count < 1) {
      throw misused("-n must be at least 1: " + count);
    }
    Deque<DeadLetterLog.Entry> newest = new ArrayDeque<>();
    long[] found = {0};
    long[] unknown = {0};
    Map<Long, Long> retried = new HashMap<>();
    new DeadLetterLog(access())
        .read(
            entry -> {
              if (entry.ofUnknownDomain()) {
                unknown[0]++;
              }
              if (domain.isEmpty() || domain.equals(entry.domain().orElse(""))) {
                found[0]++;
                newest.add(entry);
                if (newest.size() > count) {
                  newest.remove();
                }
              }
            },
            retry -> DeadLetterLog.note(retry, retried));
    if (newest.isEmpty() && !domain.isEmpty()) {
      KnownDomain.requireKnown(access(), domain);
    }
    json.write(newest.stream().map(entry -> report(entry, retried)).toList());
    out().printf(ROW, "NUMBER", "TIME", "BY", "DOMAIN", "WHERE", "WHY");
    newest.forEach(entry -> row(entry, retried));
    if (found[0] > newest.size()) {
      out().println(found[0] - newest.size() + " more are older: -n lists them");
    }
    if (unknown[0] > 0 && !domain.isEmpty()) {
      out()
          .printf(
              "%d of earlier builds do not name their domain: 'sluice deadletter list' has them%n",
              unknown[0]);
    }
    out().flush();
  }

  private void row(DeadLetterLog.Entry entry, Map<Long, Long> retried) {
    DeadLetter letter = entry.letter();
    out()
        .printf(
            ROW,
            entry.number(),
            Instant.ofEpochMilli(letter.getTimeMillis()).truncatedTo(ChronoUnit.SECONDS),
            letter.getComponent(),
            domain(entry),
            place(letter),
            retried(entry, retried).map(time -> "retried at " + time + "; it was: ").orElse("")
                + Printable.line(letter.getReason().lines().findFirst().orElse("")));
  }

  /** When all that a letter is of was taken in the end. */
  static Optional<Instant> retried(DeadLetterLog.Entry entry, Map<Long, Long> retried) {
    return Optional.ofNullable(retried.get(entry.number()))
        .map(time -> Instant.ofEpochMilli(time).truncatedTo(ChronoUnit.SECONDS));
  }

  /** Its domain, as far as it is known. */
  static String domain(DeadLetterLog.Entry entry) {
    return Printable.line(entry.domain().orElse(entry.ofUnknownDomain() ? "unknown" : "-"));
  }

  /** A file with its line or its records, or a partition with its offset. */
  static String place(DeadLetter letter) {
    Optional<DocumentRange> range = range(letter);
    if (range.isPresent()) {
      long first = range.get().getFirst();
      long last = first + Math.max(0, range.get().getRecords() - 1);
      return Printable.line(range.get().getLocation())
          + (":" + first)
          + (last == first ? "" : "-" + last);
    }
    return record(letter);
  }

  /** The records of a file that were refused in a whole, by the record of a corpus with them. */
  static Optional<DocumentRange> range(DeadLetter letter) {
    if (letter.getPartition() < 0) {
      return Optional.empty();
    }
    byte[] payload = new byte[letter.getPayload().remaining()];
    letter.getPayload().duplicate().get(payload);
    try {
      return Optional.of(WireCodec.decode(DocumentRange.class, payload));
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  /** A file with its line, or a partition with its offset. */
  static String record(DeadLetter letter) {
    if (letter.getPartition() >= 0) {
      return Printable.line(letter.getOrigin())
          + "-"
          + letter.getPartition()
          + "@"
          + letter.getPosition();
    }
    return Printable.line(letter.getOrigin())
        + (letter.getPosition() == 0 ? "" : ":" + letter.getPosition());
  }

  private static Map<String, Object> records(DocumentRange range) {
    Map<String, Object> records = new LinkedHashMap<>();
    records.put("file", range.getLocation());
    records.put("first", range.getFirst());
    records.put("count", range.getRecords());
    return records;
  }

  /** For programs. */
  static Map<String, Object> report(DeadLetterLog.Entry entry, Map<Long, Long> retried) {
    DeadLetter letter = entry.letter();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("number", entry.number());
    report.put("timeMillis", letter.getTimeMillis());
    report.put("component", letter.getComponent());
    report.put("domain", entry.domain().orElse(null));
    report.put("origin", letter.getOrigin());
    report.put("partition", letter.getPartition());
    report.put("position", letter.getPosition());
    report.put("records", range(letter).map(ListDeadLetters::records).orElse(null));
    report.put("reason", letter.getReason());
    report.put("retriedAtMillis", retried.get(entry.number()));
    return report;
  }
}
