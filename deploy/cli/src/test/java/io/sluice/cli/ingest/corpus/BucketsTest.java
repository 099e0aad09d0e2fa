package io.sluice.cli.ingest.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.ingest.IngestCommand;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.file.Format;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Policies;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BucketsTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);
  private static final List<String> THREE = Buckets.named("web", 3);

  private final Buckets.Scores scores = new Buckets.Scores("ppl");
  private final List<Bucket> sinks = Stream.generate(Bucket::new).limit(3).toList();

  @TempDir Path directory;

  private static final class Bucket implements DocumentSink {
    private final List<Document> documents = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    @Override
    public void document(Document document, byte[] encoded) {
      documents.add(document);
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      refusals.add(letter.getPosition() + ": " + letter.getReason());
    }
  }

  private Path lines(String... lines) throws IOException {
    return Files.write(directory.resolve("d.jsonl"), List.of(lines));
  }

  private static IngestReport ingest(Path file, DocumentSink sink) {
    IngestSettings settings =
        new IngestSettings("web", Format.JSONL, 1 << 20, Fields.STANDARD, Optional.of("ppl"));
    return new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(file));
  }

  private static String line(String text, String score) {
    return "{\"text\": \"" + text + "\", \"ppl\": " + score + "}";
  }

  @Test
  void cutsDocumentsByTheirScoresIntoBucketsOfEqualBytes() throws IOException {
    Path file =
        lines(
            line("hard one", "90.5"),
            line("easy", "3"),
            line("easy", "2"),
            line("so so   ", "10"),
            line("no score", "\"high\""),
            line("nothing", "0"),
            "{\"text\": \"without\"}");
    ingest(file, scores);
    Buckets buckets = Buckets.cut(THREE, scores.all());
    IngestReport report = ingest(file, new Buckets.Router(buckets, sinks, scores.all(), "ppl"));

    assertThat(sinks.get(0).documents)
        .extracting(Document::getText)
        .containsExactly("easy", "easy");
    assertThat(sinks.get(1).documents).extracting(Document::getText).containsExactly("so so   ");
    assertThat(sinks.get(2).documents).extracting(Document::getText).containsExactly("hard one");
    assertThat(sinks.get(0).documents)
        .extracting(Document::getId)
        .containsExactly("d.jsonl:2", "d.jsonl:3");
    assertThat(sinks.get(2).documents.get(0).getProperties()).isEqualTo(Map.of("ppl", "90.5"));
    assertThat(buckets.reports())
        .containsExactly(
            new Buckets.Report("web-b0", 2, 8, 2, 3),
            new Buckets.Report("web-b1", 1, 8, 10, 10),
            new Buckets.Report("web-b2", 1, 8, 90.5, 90.5));
    assertThat(report.documents()).isEqualTo(4);
    assertThat(sinks.get(0).refusals)
        .containsExactly(
            "5: 'ppl' must be a number above 0: found string",
            "6: 'ppl' must be a number above 0: found 0.0",
            "7: 'ppl' must be a number above 0: found nothing");
  }

  @Test
  void refusesABucketWithoutDocuments() throws IOException {
    ingest(lines(line("much longer than the others", "1"), line("a", "2"), line("b", "3")), scores);
    assertThatThrownBy(() -> Buckets.cut(THREE, scores.all()))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "--buckets must leave documents for each: of 3 with a score, none would be in web-b1");
  }

  @Test
  void noticesThatAFileChangesBetweenItsTwoReadings() throws IOException {
    Path file = lines(line("a", "1"), line("b", "2"), line("c", "3"));
    ingest(file, scores);
    Buckets.Router router =
        new Buckets.Router(Buckets.cut(THREE, scores.all()), sinks, scores.all(), "ppl");
    lines(line("a", "1"), line("b", "2"), line("c", "4"));
    assertThatThrownBy(() -> ingest(file, router))
        .isInstanceOf(BadInputException.class)
        .hasMessage("PATH must not change while it is read: document 'd.jsonl:3' is new");
  }

  @Test
  void namesBucketsSoThatACurriculumKnowsTheirOrder() {
    List<String> buckets = Buckets.named("web", 12);
    assertThat(buckets).startsWith("web-b0", "web-b1").endsWith("web-b10", "web-b11");
    Cadence run = new Cadence(10, 0, new TreeMap<>(Map.of(1L, 8)), 120);
    double[] shares =
        Policies.create("curriculum", Map.of("order", "high-to-low"), buckets)
            .inRun(run)
            .startingShares(new double[12]);
    assertThat(shares[11]).isEqualTo(1);
  }

  @Test
  void saysWhichArgumentsBucketsNeed() {
    assertThat(said("--buckets", "10", "x"))
        .isEqualTo("--buckets must be in [2, 1000], with --by: 10, null");
    assertThat(said("--by", "ppl", "x"))
        .isEqualTo("--buckets must be in [2, 1000], with --by: null, ppl");
    assertThat(said("--buckets", "1", "--by", "ppl", "x"))
        .isEqualTo("--buckets must be in [2, 1000], with --by: 1, ppl");
    assertThat(said("--buckets", "3", "--by", "ppl", "-"))
        .isEqualTo("PATH must be files for --buckets, which are read twice");
    assertThat(said("--buckets", "3", "--by", "ppl", "--format", "lines", "x"))
        .isEqualTo("--format must be jsonl for --buckets: lines");
  }

  private String said(String... arguments) {
    StringBuilder message = new StringBuilder();
    new CommandLine(new IngestCommand())
        .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), directory))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              message.append(failure.getMessage());
              return 2;
            })
        .execute(
            Stream.concat(Stream.of("--domain", "web"), Stream.of(arguments))
                .toArray(String[]::new));
    return message.toString();
  }
}
