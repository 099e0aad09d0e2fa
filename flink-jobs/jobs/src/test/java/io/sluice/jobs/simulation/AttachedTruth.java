package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.schema.TrainerAttached;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which processes train a run, told from the feedback partition alone. */
final class AttachedTruth {
  private final RunModel run;
  private final TreeMap<String, TrainerAttached> processes = new TreeMap<>();
  private final Set<String> complaints = new HashSet<>();

  AttachedTruth(RunModel run) {
    this.run = run;
  }

  /** The partition got word of another process; those of another number of ranks have ended. */
  void append(TrainerAttached process) {
    processes.values().removeIf(old -> old.getWorldSize() != process.getWorldSize());
    processes.put(process.getRank() + "/" + process.getReplica(), process);
    TreeSet<String> lacking = new TreeSet<>(run.scenario().metrics());
    lacking.removeAll(process.getMetrics());
    for (String metric : lacking) {
      complaints.add(name(process) + " does not measure [" + metric);
      run.witness().saw("rank lacks a metric");
    }
  }

  private static String name(TrainerAttached process) {
    return "rank "
        + process.getRank()
        + " of "
        + process.getWorldSize()
        + (process.getReplica() == 0 ? "" : " (replica " + process.getReplica() + ")")
        + " on "
        + process.getHost()
        + ", pid "
        + process.getPid();
  }

  /** What people are shown must be so. */
  void check(List<String> shown) {
    List<String> wanted =
        processes.values().stream()
            .map(
                process ->
                    name(process)
                        + ", from batch "
                        + process.getBatch()
                        + ", measures "
                        + process.getMetrics())
            .toList();
    unless(
        run.control().phase().equals("deleted") || shown.equals(wanted),
        "%s: trained by %s, shown are %s",
        run.id(),
        wanted,
        shown);
  }

  /** Whoever is said to lack something has said so. */
  void checkComplaint(String why) {
    if (why.contains(" does not measure ")) {
      run.witness().saw("round kept for a rank that lacks a metric");
      unless(complaints.stream().anyMatch(why::contains), "%s: %s", run.id(), why);
    }
  }
}
