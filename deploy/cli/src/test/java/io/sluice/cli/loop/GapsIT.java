package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.client.block.Tokens;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.FimSettings;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents with a gap, by a tokenizer whose documents begin with a token, from files to blocks.
 */
class GapsIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final String TOKENIZER =
      "file:../../flink-jobs/jobs/src/test/resources/tokenizers/small/word-piece.json";
  private static final int BEGIN = 2;
  private static final int END = 3;
  private static final int FIRST_LETTER = 42;
  private static final long SPOILT = 3;
  private static final List<Integer> SENTINELS = List.of(91, 92, 93);

  /** The letters of each document, each of which is a token. */
  private final Map<String, String> letters = new TreeMap<>();

  @TempDir Path directory;

  @Test
  void eachDocumentBeginsOnceAndIsWholeAroundItsGap() throws Exception {
    DatasetSpec dataset = dataset();
    assertThat(dataset.getBeginOfDocument()).isEqualTo(BEGIN);
    try (LocalService service =
        LocalService.start(LocalSettings.in(directory.resolve("state")), event -> {})) {
      KafkaAccess access = service.access();
      ApplyDataset.apply(access, dataset);
      ApplyDataset.apply(
          access,
          DatasetSpecs.resolve(
              new DatasetSettings("plain", "bytes", 64, 5, 1, 0, List.of("letters"), 1)));
      SpoiltCorpus.spoil(access, "letters", SPOILT - 1);
      SpoiltCorpus.endAnother(access, "letters");
      ingest(access);
      List<PreparedTopic> topics =
          List.of(
              new PreparedTopic(access, access.topics().blocks("gaps", "letters")),
              new PreparedTopic(access, access.topics().eval("gaps", "letters")));
      topics.forEach(topic -> Patience.await(IDLE, topic::hasEnded));
      PreparedTopic plain = new PreparedTopic(access, access.topics().blocks("plain", "letters"));
      Patience.await(IDLE, plain::hasEnded);
      assertThat(plain.documents()).isEqualTo(letters.size());
      assertThat(
              new TestingSluice(access, directory)
                  .does("deadletter", "list", "--domain", "letters"))
          .contains("end marker of domain '" + "x".repeat(79) + "…' in the corpus of 'letters'");
      Map<String, String> found = new TreeMap<>();
      Map<String, Integer> forms = new TreeMap<>();
      topics.forEach(topic -> topic.blocks().forEach(block -> take(block, found, forms)));

      assertThat(found).isEqualTo(letters);
      assertThat(forms).containsOnlyKeys("none", "psm", "spm");
      assertThat(forms.values()).allSatisfy(count -> assertThat(count).isBetween(15, 80));
      assertLedgerIsWhatIsThere(access, topics.get(0), topics.get(1));
    }
  }

  private void assertLedgerIsWhatIsThere(
      KafkaAccess access, PreparedTopic trained, PreparedTopic heldOut) throws IOException {
    JsonNode shown =
        new TestingSluice(access, directory).json("dataset", "show", "gaps", "--json", "-");
    JsonNode documents = shown.at("/ledger/letters/documents");
    JsonNode tokens = shown.at("/ledger/letters/tokens");
    long blocks = trained.documents();
    long held = heldOut.documents();
    long padding = trained.tokens(false);
    long all = trained.tokens(true) + heldOut.tokens(true) + padding;

    assertThat(counts(documents))
        .containsExactly(letters.size() + SPOILT, blocks, 0L, held, 0L, 0L, 0L, SPOILT);
    assertThat(counts(tokens))
        .containsExactly(all, trained.tokens(true), padding, heldOut.tokens(true), 0L, 0L, 0L, 0L);
    assertThat(blocks + held).isEqualTo(letters.size());
    assertThat(shown.at("/shuffle/documents").asLong()).isEqualTo(blocks);
  }

  private static List<Long> counts(JsonNode of) {
    assertThat(of.fieldNames())
        .toIterable()
        .containsExactly(
            "in",
            "blocks",
            "padding",
            "heldOut",
            "buffered",
            "duplicates",
            "forgotten",
            "deadLetters");
    List<Long> counts = new ArrayList<>();
    of.elements().forEachRemaining(each -> counts.add(each.asLong()));
    return counts;
  }

  private static DatasetSpec dataset() {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            "gaps",
            List.of("letters"),
            1,
            new TokenSettings(TOKENIZER, "[CLS]", "[SEP]"),
            new PackingSettings(64, PackingSettings.BEST_FIT, 3, 1),
            new ShuffleSettings(5, Duration.ZERO, 1),
            new HeldOutSettings(.1, 0, HeldOutRule.NEWEST),
            new FimSettings(.7, .5, SENTINELS)));
  }

  private void ingest(KafkaAccess access) throws Exception {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      String text =
          random
              .ints(1 + random.nextInt(30), 'a', 'z' + 1)
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
      letters.put("d" + i, text);
      String spaced = String.join(" ", text.split(""));
      lines.add("{\"id\": \"d" + i + "\", \"text\": \"" + spaced + "\"}");
    }
    Path file = Files.write(directory.resolve("letters.jsonl"), lines);
    IngestSettings settings = new IngestSettings("letters", Format.JSONL, 1 << 20);
    new CorpusIngest(access, settings, false, true, bytes -> {}).paths(List.of(file));
  }

  private static void take(
      TokenBlock block, Map<String, String> found, Map<String, Integer> forms) {
    int[] tokens = Tokens.of(block);
    int from = 0;
    for (int part = 0; part < block.getDocumentIds().size(); part++) {
      int to = from + block.getDocumentLengths().get(part);
      String id = block.getDocumentIds().get(part);
      if (!id.isEmpty()) {
        List<Integer> own = Arrays.stream(tokens, from, to).boxed().toList();
        assertThat(found.put(id, whole(own, forms))).as("a part before of %s", id).isNull();
      }
      from = to;
    }
  }

  /** The letters in the order of the text. */
  private static String whole(List<Integer> tokens, Map<String, Integer> forms) {
    int last = tokens.size() - 1;
    assertThat(tokens.get(0)).isEqualTo(BEGIN);
    assertThat(tokens.get(last)).isEqualTo(END);
    List<Integer> inside = tokens.subList(1, last);
    assertThat(inside).doesNotContain(BEGIN, END);
    List<Integer> gap = inside.stream().filter(SENTINELS::contains).toList();
    int prefix = inside.indexOf(SENTINELS.get(0));
    int suffix = inside.indexOf(SENTINELS.get(1));
    int middle = inside.indexOf(SENTINELS.get(2));
    if (gap.isEmpty()) {
      forms.merge("none", 1, Integer::sum);
      return text(inside);
    }
    assertThat(gap).isEqualTo(SENTINELS);
    assertThat(prefix).isZero();
    String afterSuffix = text(inside.subList(suffix + 1, middle));
    String afterMiddle = text(inside.subList(middle + 1, inside.size()));
    if (suffix == 1) { // with an empty prefix both forms are alike
      forms.merge("spm", 1, Integer::sum);
      return afterMiddle + afterSuffix;
    }
    forms.merge("psm", 1, Integer::sum);
    return text(inside.subList(1, suffix)) + afterMiddle + afterSuffix;
  }

  private static String text(List<Integer> tokens) {
    return tokens.stream()
        .map(token -> Character.toString(token - FIRST_LETTER + 'a'))
        .collect(Collectors.joining());
  }
}
