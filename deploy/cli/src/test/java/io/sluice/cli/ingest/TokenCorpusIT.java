package io.sluice.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.control.history.TopicScan;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From files of token ids to blocks. */
class TokenCorpusIT {
  private static final Path SAMPLES = Path.of("../../flink-jobs/corpus/src/test/resources/tokens");
  private static final int END = 50_256;
  private static final DatasetSpec DATASET =
      DatasetSpecs.resolve(
          new DatasetSettings("gpt", "r50k_base", 16, 1, 1, 0, List.of("mixed"), 1));

  @TempDir Path directory;

  @Test
  void theIdsInBlocksAreThoseOfTheFilesAmongTexts() throws Exception {
    Path text = Files.writeString(directory.resolve("a.txt"), " the");
    Path ended =
        Files.write(
            directory.resolve("ended.npy"), array(new int[][] {{11, 12, END}, {END, END, END}}));
    LocalSettings settings = LocalSettings.in(directory.resolve("state"));
    try (LocalService service = LocalService.start(settings, event -> {})) {
      KafkaAccess kafka = service.access();
      ApplyDataset.apply(kafka, DATASET);
      TestingSluice sluice = new TestingSluice(kafka, directory);
      sluice.does(
          "ingest",
          "--domain=mixed",
          "--tokenized-by=dataset:gpt",
          SAMPLES.resolve("megatron-i4.idx").toString());
      sluice.does("ingest", "--domain=mixed", text.toString());
      sluice.does("ingest", "--domain=mixed", "--tokenized-by=r50k_base", ended.toString());
      // Of a tokenizer that the dataset does not have.
      sluice.does(
          "ingest",
          "--domain=mixed",
          "--tokenized-by=cl100k_base",
          "--end",
          SAMPLES.resolve("rows-u4.npy").toString());

      Patience.await(Duration.ofMinutes(1), () -> ended(kafka));

      List<Integer> expected = new ArrayList<>(List.of(1, 2, 3, 0, END, END, 7, 0, END));
      for (int i = 0; i < 300; i++) {
        expected.add(i * i % 50_257 + 1);
      }
      expected.addAll(List.of(0, END, 9, 0, END, 262, END, 11, 12, END, END, END, END));
      assertThat(tokens(kafka).subList(0, expected.size())).isEqualTo(expected);
      assertThat(letters(kafka))
          .hasSize(3)
          .allMatch(
              reason -> reason.contains("must be of tokenizer 'r50k_base' with 2 bytes each"));
    }
  }

  private static byte[] array(int[][] rows) {
    String header =
        String.format(
            "{'descr': '<i4', 'fortran_order': False, 'shape': (%d, %d), }",
            rows.length, rows[0].length);
    ByteBuffer file = ByteBuffer.allocate(10 + header.length() + 4 * rows.length * rows[0].length);
    file.order(ByteOrder.LITTLE_ENDIAN);
    file.put((byte) 0x93).put(new byte[] {'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.putShort((short) header.length());
    header.chars().forEach(c -> file.put((byte) c));
    for (int[] row : rows) {
      for (int id : row) {
        file.putInt(id);
      }
    }
    return file.array();
  }

  private static boolean ended(KafkaAccess kafka) {
    return blocks(kafka).anyMatch(EndOfDomain.class::isInstance) && letters(kafka).size() >= 3;
  }

  private static List<Integer> tokens(KafkaAccess kafka) {
    List<Integer> tokens = new ArrayList<>();
    blocks(kafka)
        .filter(TokenBlock.class::isInstance)
        .map(block -> ((TokenBlock) block).getTokens().duplicate().order(ByteOrder.LITTLE_ENDIAN))
        .forEach(
            block -> {
              while (block.hasRemaining()) {
                tokens.add(block.getShort() & 0xFFFF);
              }
            });
    return tokens;
  }

  private static Stream<SpecificRecordBase> blocks(KafkaAccess kafka) {
    List<SpecificRecordBase> records = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            List.of(kafka.topics().blocks("gpt", "mixed")),
            message -> records.add(WireCodec.decode(message.value())));
    return records.stream();
  }

  private static List<String> letters(KafkaAccess kafka) {
    List<String> reasons = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            DeadLetter.class,
            kafka.topics().deadLetters(),
            letter -> reasons.add(letter.getReason()));
    return reasons;
  }
}
