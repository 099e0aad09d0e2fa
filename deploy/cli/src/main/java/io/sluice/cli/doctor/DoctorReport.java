package io.sluice.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * All that was found.
 *
 * @param kafka the bootstrap servers
 * @param prefix of the deployment
 * @param findings in the order of the checks
 */
record DoctorReport(String kafka, String prefix, List<Finding> findings) {
  /** Of one check no more lines are printed than this; as JSON all are written. */
  private static final int LINES = 20;

  /** Copies the findings. */
  DoctorReport {
    findings = List.copyOf(findings);
  }

  /** A finding for programs. */
  record Line(String check, String verdict, String found, String help) {}

  /** For programs. */
  record View(String kafka, String prefix, boolean passed, List<Line> findings) {}

  View view() {
    return new View(
        kafka,
        prefix,
        count(Verdict.FAILURE) == 0,
        findings.stream()
            .map(each -> new Line(each.check(), each.verdict().word(), each.found(), each.help()))
            .toList());
  }

  /** How many findings come to this. */
  long count(Verdict verdict) {
    return findings.stream().filter(each -> each.verdict() == verdict).count();
  }

  /** For people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (String check : findings.stream().map(Finding::check).distinct().toList()) {
      List<Finding> of = findings.stream().filter(each -> each.check().equals(check)).toList();
      of.stream().limit(LINES).map(Finding::line).forEach(lines::add);
      if (of.size() > LINES) {
        lines.add(
            "         %s: %d more lines, all with --json".formatted(check, of.size() - LINES));
      }
    }
    return lines;
  }
}
