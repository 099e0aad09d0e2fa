package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Teams with a MixJob each, whose runs are mixed of one dataset that somebody else prepares. */
class SharedDatasetsIT {
  private static final String RUN =
      """
      run: velo
      dataset: data
      batch: 16 sequences
      batches: 30
      initial-weights: uniform
      policy: {velocitune: {every: 10, target-fraction: %s}}
      """;

  /** Reads its stream and its evaluation sets by one string for both prefixes. */
  private static final String PYTHON =
      """
      import itertools, sys, sluice
      bootstrap, prefix = sys.argv[1:]
      with sluice.Loader("velo", bootstrap=bootstrap, prefix=prefix) as steps:
          batches = [step.batch for step in itertools.islice(steps, 20)]
          sets = sluice.eval_sets(steps.run, 2, bootstrap, prefix)
      print(batches[-1], sorted(sets))
      """;

  @TempDir private Path directory;

  private final List<String> said = new CopyOnWriteArrayList<>();
  private KafkaAccess kafka;

  private KafkaAccess under(String prefixes) {
    return new KafkaAccess(kafka.bootstrapServers(), Topics.of(prefixes), Map.of());
  }

  private TestingSluice sluice(String prefixes) {
    return new TestingSluice(under(prefixes), directory);
  }

  private LocalService service(String prefixes) {
    Path state = directory.resolve("up-" + prefixes.replace(':', '-'));
    return LocalService.start(LocalSettings.in(state).withKafka(under(prefixes)), said::add);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private RunInfo train(String prefixes, double pace, int steps) {
    RunInfo run = RunDirectory.find(under(prefixes), "velo", Patience.MINUTE);
    try (ScriptedTrainer trainer = new ScriptedTrainer(under(prefixes), run)) {
      trainer.train(steps, 10, (step, domain) -> 4 - step * pace * domain.length());
    }
    return run;
  }

  @Test
  void eachTeamHasItsRunsAndAllHaveTheDataset() throws Exception {
    try (EmbeddedBroker broker =
        EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE)) {
      kafka = KafkaAccess.local(broker.bootstrapServers());
      try (LocalService shared = service("shared.");
          LocalService first = service("a.:shared.");
          LocalService second = service("b.:shared.")) {
        assertThat(said).contains("datasets are those of prefix shared.");
        assertThat(List.of(first.access(), second.access())).doesNotContain(shared.access());
        sluice("shared.").does("dataset", "apply", "-f", write("dataset.yaml", Testbed.FILE));
        new Testbed(under("shared.")).fill();
        sluice("a.:shared.").does("run", "apply", "-f", write("a.yaml", RUN.formatted(".5")));
        sluice("b.:shared.").does("run", "apply", "-f", write("b.yaml", RUN.formatted(".2")));
        RunInfo ofFirst = train("a.:shared.", .01, 30);
        RunInfo ofSecond = train("b.:shared.", .02, 20);
        assertThat(ofFirst.runId()).isNotEqualTo(ofSecond.runId());
        sluice("a.:shared.").does("run", "delete", "velo");
        train("b.:shared.", .02, 30);
        AuditReport audit = Auditor.audit(under("b.:shared."), "velo");
        assertThat(audit.violations()).isEmpty();
        assertThat(audit.sequences()).isEqualTo(480);
        Set<String> topics = topics();
        assertThat(topics)
            .contains("shared.datasets", "shared.supply.data", "shared.blocks.data.small")
            .contains("b.stream.velo", "b.status", "b.control." + ofSecond.runId())
            .doesNotContain("a.stream.velo", "shared.stream.velo", "b.datasets", "a.supply.data")
            .noneMatch(topic -> topic.startsWith("b.blocks.") || topic.startsWith("a.corpus."));
        assertThat(sluice("a.:shared.").does("dataset", "list")).contains("data");
        TestingPython.require("confluent_kafka", "numpy");
        assertThat(
                TestingPython.succeed(
                    List.of("-c", PYTHON, broker.bootstrapServers(), "b.:shared.")))
            .isEqualTo("20 ['large', 'medium', 'small']\n");
      }
    }
  }

  private Set<String> topics() throws Exception {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      return admin.listTopics().names().get();
    }
  }
}
