package io.sluice.lab.chaos.fault;

import static io.sluice.lab.chaos.fault.FaultKind.Trait.ALONE_ON_REQUEST;
import static io.sluice.lab.chaos.fault.FaultKind.Trait.FOR_ONE_BROKER;
import static io.sluice.lab.chaos.fault.FaultKind.Trait.FOR_THREE_BROKERS;
import static io.sluice.lab.chaos.fault.FaultKind.Trait.HARMLESS;
import static io.sluice.lab.chaos.fault.FaultKind.Trait.ON_REQUEST;

import io.sluice.control.error.BadInputException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What can go wrong. */
public enum FaultKind {
  KILL_TASK_MANAGER("a task manager is killed"),
  FREEZE_TASK_MANAGER("a task manager is stopped for a while and goes on"),
  SLOW_TASK_MANAGER("a task manager is stopped for most of each second, for a while"),
  FULL_DISK_TASK_MANAGER("a task manager can write no file for a while"),
  KILL_JOB_MANAGER("the job manager is killed"),
  FREEZE_JOB_MANAGER("the job manager is stopped for a while and goes on"),
  KILL_BROKER("a broker is killed"),
  KILL_BROKERS("all three brokers are killed at once", FOR_THREE_BROKERS),
  FREEZE_BROKER("a broker stalls for longer than the stream's delivery timeout"),
  SLOW_BROKER("a broker is stopped for most of each second, for a while"),
  FULL_DISK_BROKER("a broker can write no file for a while"),
  POWER_CUT(
      "a broker is killed, and of each of its logs a part is lost that was not on its disk",
      ALONE_ON_REQUEST),
  LOST_FSYNC("the same, with logs that were said to be on the disk", FOR_ONE_BROKER, ON_REQUEST),
  CHANGE_OF_LEADER("every partition is led by another broker", FOR_THREE_BROKERS),
  KILL_TRAINER("a trainer is killed"),
  FREEZE_TRAINER("a trainer is stopped for a while and goes on"),
  KILL_ALL("every process is killed at once"),
  ONE_WAY_PARTITION("what one process sends another does not arrive for a while"),
  CLOCK_JUMP("the wall clock of a process is wrong by up to an hour for a while"),
  DELETE_STREAM("the topic of a run's stream is deleted"),
  RECREATE_RUN("a run is deleted and created again under its name"),
  CUT_SEGMENT(
      "a file of the dataset's store is cut under its readers, and whole again after a while"),
  REPLACED_SEGMENT(
      "a file of the dataset's store is another for a while, and a trainer that reads it is killed"),
  RESCALE("the mixing restarts from its checkpoint with another parallelism"),
  RESTORE_SAVEPOINT("the mixing stops with a savepoint and restarts from it"),
  RESTORE_WITHOUT_STATE("the mixing restarts without any state"),
  SECOND_MIXER("an old deployment mixes the same runs, from no state"),
  OLD_PROPOSALS("proposals of the past are written to the control log again", HARMLESS),
  RIVAL_PROPOSALS(
      "proposals that lead a losing lineage on are written to the control log", HARMLESS),
  CORRUPT_RECORDS("undecodable records are written to the control and feedback topics", HARMLESS),
  REPEATED_FEEDBACK(
      "feedback of the past is sent again, in another order and with other values", HARMLESS),
  POISON("another run's trainer writes hostile records of every kind to every topic", HARMLESS);

  /** What sets a kind apart from the others. */
  enum Trait {
    /** No process should feel it. */
    HARMLESS,
    FOR_ONE_BROKER,
    FOR_THREE_BROKERS,
    /** Beyond what is promised: it comes only if it is asked for. */
    ON_REQUEST,
    /** The same where a broker is alone, and nobody has what it loses. */
    ALONE_ON_REQUEST
  }

  private final String description;
  private final Set<Trait> traits;

  FaultKind(String description, Trait... traits) {
    this.description = description;
    Set<Trait> all = EnumSet.noneOf(Trait.class);
    all.addAll(Arrays.asList(traits));
    this.traits = Collections.unmodifiableSet(all);
  }

  /** What happens, as a sentence. */
  public String description() {
    return description;
  }

  /** Whether processes may feel it. */
  public boolean isFelt() {
    return !traits.contains(HARMLESS);
  }

  /** Whether so many brokers can suffer it. */
  public boolean fits(int brokers) {
    return !traits.contains(brokers == 1 ? FOR_THREE_BROKERS : FOR_ONE_BROKER);
  }

  /** The kinds that come if none is asked for, with so many brokers. */
  public static Set<FaultKind> usual(int brokers) {
    return Arrays.stream(values())
        .filter(kind -> kind.fits(brokers) && !kind.traits.contains(ON_REQUEST))
        .filter(kind -> brokers > 1 || !kind.traits.contains(ALONE_ON_REQUEST))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
  }

  /** Of all kinds, in their order. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(FaultKind::label).toList();
  }

  /** The kind of a label. */
  public static FaultKind of(String label) {
    List<String> labels = labels();
    if (!labels.contains(label)) {
      throw new BadInputException("--kinds must be of " + labels + ": '" + label + "'");
    }
    return values()[labels.indexOf(label)];
  }

  /** Name on the command line: lower case, with hyphens. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
