package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A PyTorch trainer of one process or several, started by torch's own launcher: one life after the
 * other, each from a checkpoint of those before it. What its ranks trained on, they write down.
 */
final class RankedTrainer implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(3);
  private static final Pattern STEP = Pattern.compile("^step (\\d+)$", Pattern.MULTILINE);
  private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d+)(?:\\.ckpt)?");

  private final KafkaAccess kafka;
  private final String script;
  private final String run;
  private final Path folder;
  private final Path checkpoints;
  private int lives;
  private Path out = Path.of("");
  private Process process;

  /**
   * @param script among the Python tests, an own loop or one of a framework's
   * @param folder empty
   */
  RankedTrainer(KafkaAccess kafka, String script, String run, Path folder) throws IOException {
    this.kafka = kafka;
    this.script = script;
    this.run = run;
    this.folder = folder;
    checkpoints = Files.createDirectory(folder.resolve("checkpoints"));
  }

  /**
   * Begins a life.
   *
   * @param until the step that it ends after
   */
  void start(int ranks, long until, String... options) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-m", "torch.distributed.run", "--standalone"));
    arguments.addAll(List.of("--nproc-per-node", Integer.toString(ranks), "--"));
    arguments.addAll(TestingPython.script(script, common(until)));
    arguments.addAll(List.of("--life", Integer.toString(lives)));
    arguments.addAll(List.of("--checkpoints", checkpoints.toString()));
    arguments.addAll(List.of(options));
    out = folder.resolve("life-" + lives++ + ".out");
    process =
        TestingPython.process(arguments)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
  }

  private List<String> common(long until) {
    return new ArrayList<>(
        List.of(
            "--bootstrap",
            kafka.bootstrapServers(),
            "--run",
            run,
            "--folder",
            folder.toString(),
            "--until",
            Long.toString(until)));
  }

  /** Waits until this life has taken a step of this number or a later one. */
  void awaitStep(long step) {
    Patience.await(IDLE, this::lastStep, last -> last >= step || failsUnlessAlive(step));
  }

  private boolean failsUnlessAlive(long step) {
    assertThat(process.isAlive() || lastStep() >= step).as(said()).isTrue();
    return false;
  }

  private long lastStep() {
    return STEP.matcher(said())
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .max()
        .orElse(0);
  }

  /** Waits for the end of this life; its exit code. */
  int ended() {
    Patience.await(IDLE, () -> !process.isAlive());
    return process.exitValue();
  }

  /** What this life has printed. */
  String said() {
    try {
      return Files.exists(out) ? Files.readString(out) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the checkpoints after a step, and gives the step of the newest that is left. */
  long keep(long step) throws IOException {
    NavigableMap<Long, Path> found = found();
    for (Path later : found.tailMap(step, false).values()) {
      try (Stream<Path> files = Files.walk(later)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return found.floorKey(step);
  }

  /** The checkpoint of a step. */
  String checkpoint(long step) throws IOException {
    return found().get(step).toString();
  }

  private NavigableMap<Long, Path> found() throws IOException {
    NavigableMap<Long, Path> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(checkpoints)) {
      for (Path file : files.toList()) {
        CHECKPOINT
            .matcher(file.getFileName().toString())
            .results()
            .map(MatchResult::group)
            .forEach(name -> found.put(Long.parseLong(name.replaceAll("\\D", "")), file));
      }
    }
    return found;
  }

  /** What the stream and the rows that were trained on up to a step differ in, as JSON. */
  String check(long until) throws IOException {
    return TestingPython.live("trained.py", common(until));
  }

  /** What a rank has written down in a life. */
  Path rows(int life, int rank) {
    return folder.resolve("%03d-%03d.rows".formatted(life, rank));
  }

  @Override
  public void close() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
    }
  }
}
