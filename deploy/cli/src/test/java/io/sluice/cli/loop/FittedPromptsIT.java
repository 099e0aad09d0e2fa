package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.client.block.Tokens;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts and answers that are fitted into blocks and padded, by a service that is restarted. */
class FittedPromptsIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final int PADDING = 257;
  private static final DatasetSpec DATASET =
      DatasetSpecs.resolve(
          new DatasetSettings(
              "chats",
              List.of("chat"),
              1,
              new TokenSettings("bytes"),
              new PackingSettings(48, PackingSettings.BEST_FIT, 3, 4),
              new ShuffleSettings(5, Duration.ZERO, 1),
              new HeldOutSettings(0, 100, HeldOutRule.NEWEST)));
  private static final IngestSettings PROMPTS =
      new IngestSettings(
          "chat",
          Format.JSONL,
          1 << 20,
          new Fields("answer", "id", Optional.of("prompt"), Optional.empty()),
          false,
          Optional.empty(),
          Optional.empty());

  /** Answers by what their documents are, which is what their blocks must train. */
  private final Map<String, String> answers = new TreeMap<>();

  @TempDir Path directory;

  @Test
  void onlyAnswersCountAndNoDocumentIsCut() throws Exception {
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    try (LocalService service = LocalService.start(settings, event -> {})) {
      ApplyDataset.apply(service.access(), DATASET);
      ingest(service.access(), 0, false);
      Patience.await(IDLE, () -> !trained(service).blocks().isEmpty());
    }
    try (LocalService service = LocalService.start(settings, event -> {})) {
      ingest(service.access(), 40, true);
      Patience.await(IDLE, () -> trained(service).hasEnded());
      Map<String, String> counted = new TreeMap<>();
      trained(service).blocks().forEach(block -> take(block, counted));
      int held = counted.size();
      heldOut(service).blocks().forEach(block -> take(block, counted));

      assertThat(counted.size() - held).as("documents held out").isBetween(4, 12);
      assertThat(counted).isEqualTo(answers);
    }
  }

  private static void take(TokenBlock block, Map<String, String> counted) {
    int[] tokens = Tokens.of(block);
    boolean[] labels = Tokens.trained(block);
    int from = 0;
    for (int part = 0; part < block.getDocumentIds().size(); part++) {
      assertThat(from % 4).isZero();
      StringBuilder answer = new StringBuilder();
      int to = from + block.getDocumentLengths().get(part);
      for (int i = Math.max(1, from); i < to; i++) {
        assertThat(labels[i - 1] && tokens[i] == PADDING).isFalse();
        if (labels[i - 1]) {
          answer.append((char) tokens[i]);
        }
      }
      String id = block.getDocumentIds().get(part);
      if (!id.isEmpty()) {
        assertThat(counted.put(id, answer.toString())).as("a part before of %s", id).isNull();
      }
      from = to;
    }
  }

  private void ingest(KafkaAccess access, int first, boolean end) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = first; i < first + 40; i++) {
      String answer = "a" + "n".repeat(i % 7) + i;
      lines.add(
          String.format(
              "{\"id\": \"c%d\", \"prompt\": \"Q%d: \", \"answer\": \"%s\"}", i, i, answer));
      answers.put("c" + i, answer + (char) 256);
    }
    Path file = Files.write(directory.resolve("from" + first + ".jsonl"), lines);
    new CorpusIngest(access, PROMPTS, false, end, bytes -> {}).paths(List.of(file));
  }

  private static PreparedTopic trained(LocalService service) {
    KafkaAccess access = service.access();
    return new PreparedTopic(access, access.topics().blocks("chats", "chat"));
  }

  private static PreparedTopic heldOut(LocalService service) {
    KafkaAccess access = service.access();
    return new PreparedTopic(access, access.topics().eval("chats", "chat"));
  }
}
