package io.sluice.corpus.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.line.Fields;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.schema.TokenDocument;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenIngestTest {
  private static final Path SAMPLES = Path.of("src/test/resources/tokens");

  @TempDir Path directory;
  private final TestingSink sink = new TestingSink();

  @Test
  void filesBecomeDocumentsByTheirNamesAndWhatElseIsThereIsLeftOut() throws IOException {
    Path folder = Files.createDirectory(directory.resolve("gpt"));
    for (String name : List.of("megatron-u2.idx", "megatron-u2.bin", "arrays.mds")) {
      Files.copy(SAMPLES.resolve(name), folder.resolve(name));
    }
    Files.writeString(folder.resolve("index.json"), "{}");

    IngestReport report = ingest(50_257, 1000, folder);

    assertThat(sink.tokens.stream().map(TokenDocument::getId))
        .containsExactly(
            "d0",
            "d1",
            "d2",
            "d3",
            "gpt/megatron-u2.idx:1",
            "gpt/megatron-u2.idx:2",
            "gpt/megatron-u2.idx:3",
            "gpt/megatron-u2.idx:4");
    assertThat(sink.tokens.get(4))
        .isEqualTo(
            new TokenDocument(
                "gpt/megatron-u2.idx:1",
                "gpt",
                2,
                ByteBuffer.wrap(new byte[] {1, 0, 2, 0, 3, 0, 0, 0}),
                folder.resolve("megatron-u2.idx").toString(),
                1L,
                Map.of()));
    assertThat(report.skippedIgnored()).isEqualTo(2);
    assertThat(report.skippedEmpty()).isEqualTo(1);
    assertThat(report.files()).isEqualTo(2);
    assertThat(report.bytes()).isEqualTo(2 * 2 * (4 + 3 + 301 + 2));
  }

  @Test
  void whatCannotBeUsedIsADeadLetterWithItsPlaceAndReason() throws IOException {
    Path lists = SAMPLES.resolve("lists-i4.parquet");
    Path cut = directory.resolve("cut.idx");
    Files.write(cut, new byte[] {'M', 'M'});
    Files.write(directory.resolve("cut.bin"), new byte[0]);
    Path text = Files.writeString(directory.resolve("a.txt"), "text");

    IngestReport report = ingest(50_256, 1000, lists, cut, text);

    assertThat(sink.refusals())
        .containsExactly(
            "2: token 1 must be in [0, 50256): found 50256",
            "3: the document's ids have 1204 bytes; the limit is 1000",
            "5: 'input_ids' is null",
            "6: 'input_ids' holds a null",
            "0: cannot be read to its end: the file ends at byte 2",
            "0: a file of tokens must be named .idx (with its .bin), .mds, .parquet or .npy");
    assertThat(sink.deadLetters.get(0).getOrigin()).isEqualTo(lists.toString());
    assertThat(report.givenUp()).isEqualTo(2);
    assertThat(sink.tokens).hasSize(2);
  }

  private IngestReport ingest(int vocabulary, int largest, Path... paths) {
    TokenLayout layout =
        new TokenLayout(TokenType.INT64, Optional.empty(), "id", vocabulary - 1L, largest);
    IngestSettings settings =
        new IngestSettings(
            "gpt",
            Format.TOKENS,
            largest,
            Fields.STANDARD,
            false,
            Optional.empty(),
            Optional.of(new TokenSource("gpt", new TokenIds(vocabulary, 2), layout)));
    return new Ingestor(settings, sink, InstantSource.fixed(Instant.EPOCH), bytes -> {})
        .paths(List.of(paths));
  }
}
