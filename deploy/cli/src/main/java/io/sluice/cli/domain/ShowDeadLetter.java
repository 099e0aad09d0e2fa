package io.sluice.cli.domain;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Printable;
import io.sluice.control.domain.DeadLetterLog;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Limits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice deadletter show}. */
@Command(
    name = "show",
    description = "Show a dead letter whole: its place, its reason, and what was refused.")
final class ShowDeadLetter extends CliCommand {
  @Parameters(paramLabel = "NUMBER", description = "Its number, as 'deadletter list' has it.")
  private long number;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    DeadLetterLog.Entry entry =
        new DeadLetterLog(access())
            .find(number)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "NUMBER must be that of a dead letter, as 'sluice deadletter list' has"
                            + " them: "
                            + number));
    DeadLetterPayload payload = DeadLetterPayload.of(entry.letter());
    Map<Long, Long> retried = new DeadLetterLog(access()).retried();
    Map<String, Object> report = ListDeadLetters.report(entry, retried);
    report.put(payload.isText() ? "text" : "hex", payload.whole());
    json.write(report);
    print(lines(entry, payload, retried));
  }

  private static List<String> lines(
      DeadLetterLog.Entry entry, DeadLetterPayload payload, Map<Long, Long> retried) {
    DeadLetter letter = entry.letter();
    List<String> lines = new ArrayList<>();
    lines.add("number " + entry.number());
    lines.add("time   " + Instant.ofEpochMilli(letter.getTimeMillis()));
    lines.add("by     " + Printable.line(letter.getComponent()));
    lines.add("domain " + ListDeadLetters.domain(entry));
    String record = ListDeadLetters.record(letter);
    String place = ListDeadLetters.place(letter);
    lines.add("where  " + place + (place.equals(record) ? "" : ", which " + record + " names"));
    lines.add("why    " + Printable.line(letter.getReason()));
    ListDeadLetters.retried(entry, retried).ifPresent(time -> lines.add("retried at " + time));
    int bytes = letter.getPayload().remaining();
    lines.add(
        bytes == 0
            ? "no bytes are kept of it"
            : (bytes < Limits.PAYLOAD_BYTES ? "its " : "its first ")
                + bytes
                + " bytes, as "
                + (payload.isText() ? "text:" : "hexadecimal digits:"));
    lines.addAll(payload.lines());
    return lines;
  }
}
