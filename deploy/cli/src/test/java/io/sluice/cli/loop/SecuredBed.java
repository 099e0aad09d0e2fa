package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.SecuredBroker;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A broker with passwords and rights, the jobs as one of its users, and what its users write. */
public final class SecuredBed implements AutoCloseable {
  private static final String RUN =
      """
      run: %s
      dataset: data
      batch: 16 sequences
      batches: 30
      initial-weights: uniform
      policy: {velocitune: {every: 10, target-fraction: 0.5}}
      """;

  private final Path directory;
  private final SecuredBroker broker;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private LocalService jobs;

  /**
   * Starts the broker alone.
   *
   * @param prefix under which its first user may do everything
   */
  public SecuredBed(Path directory, String prefix) {
    this.directory = directory;
    broker = new SecuredBroker(directory.resolve("broker"), prefix);
  }

  public SecuredBroker broker() {
    return broker;
  }

  /** The command of whoever may do everything. */
  public TestingSluice owner() {
    return new TestingSluice(KafkaAccess.local(broker.inside()), directory);
  }

  /** The command of the user whom these settings are of. */
  public TestingSluice user(Path settings) {
    return new TestingSluice(broker.bootstrapServers(), settings, directory);
  }

  /** Starts the jobs, as a user who has the rights for that. */
  public void startJobs(KafkaAccess user) {
    jobs = LocalService.start(LocalSettings.in(directory.resolve("up")).withKafka(user), said::add);
  }

  /** What the service of the jobs has said so far. */
  List<String> said() {
    return said;
  }

  /** Writes a file, and gives its path for a command. */
  public String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  /** The file of a run over 30 batches of the dataset. */
  public String run(String name) throws IOException {
    return write(name + ".yaml", RUN.formatted(name));
  }

  /** Somebody applies such a run; it has started. */
  public RunInfo applied(TestingSluice by, String name) throws IOException {
    Said answer = by.run("run", "apply", "-f", run(name));
    assertThat(answer.exit()).as(answer.err()).isZero();
    return RunDirectory.find(by.access(), name, Patience.MINUTE);
  }

  @Override
  public void close() {
    if (jobs != null) {
      jobs.close();
    }
    broker.close();
  }
}
