package io.sluice.cli.loop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.digest.DigestReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trainer in Python of a run without a stream, next to one of the same run with one. */
class DerivedPythonIT {
  private static final int FIRST = 12;
  private static final int LAST = 30;
  private static final int BATCH = 16;
  private static final int LABELS = 24;

  @TempDir private Path directory;

  @Test
  void takesTheSameRowsAndResumesWhereItWas() throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    try (StoredRuns runs = new StoredRuns(directory)) {
      runs.apply("streamed", "tokens");
      runs.apply("derived", "derived");
      List<String> streamed = taken(runs, "streamed", LAST);
      assertThat(streamed).hasSize(LAST * BATCH);
      assertThat(taken(runs, "derived", FIRST)).isEqualTo(streamed.subList(0, FIRST * BATCH));
      assertThat(taken(runs, "derived", LAST))
          .isEqualTo(streamed.subList(FIRST * BATCH, LAST * BATCH));
      for (String run : List.of("streamed", "derived")) {
        AuditReport report = Auditor.audit(runs.service.kafka, run);
        assertThat(report.violations()).isEmpty();
        assertThat(report.digests()).isEqualTo(new DigestReport(LAST, LAST, 0, 0, 0, 0));
      }
    }
  }

  @Test
  void takesRowsOfFilesInPlace() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    Map<String, Set<String>> rows = new TreeMap<>();
    for (String domain : List.of("code", "notes")) {
      rows.put(domain, written(directory.resolve(domain + ".npy"), 400));
    }
    try (StoredRuns runs = new StoredRuns(directory)) {
      Path placed = Files.writeString(directory.resolve("placed.yaml"), dataset(runs.store));
      runs.sluice.does("dataset", "apply", "-f", placed.toString());
      assertThat(runs.sluice.does("dataset", "index", "placed"))
          .contains("domain code: 396 blocks and 4 held-out ones");
      Path run = runs.file("mixed", "derived");
      Files.writeString(run, Files.readString(run).replace("dataset: data", "dataset: placed"));
      runs.sluice.does("run", "apply", "-f", run.toString(), "--timeout", "120");
      List<String> lines = taken(runs, "mixed", LAST);
      assertThat(lines).hasSize(LAST * BATCH).doesNotHaveDuplicates();
      for (String line : lines) {
        String[] fields = line.split(",", -1);
        assertThat(rows.get(fields[3])).contains(fields[4]);
      }
      assertThat(Auditor.audit(runs.service.kafka, "mixed").violations()).isEmpty();
    }
  }

  private String dataset(Path store) {
    return """
        dataset: placed
        tokenizer: bytes
        sequence-length: %d tokens
        store: file://%s
        domains: [code, notes]
        sources:
          - {path: %s/code.npy, in-place: true, domain: code}
          - {path: %s/notes.npy, in-place: true, domain: notes}
        """
        .formatted(LABELS, store, directory, directory);
  }

  /** Writes tokens as NumPy does, and gives the SHA-256 of each row of them. */
  private static Set<String> written(Path file, int rows) throws Exception {
    ByteBuffer tokens = ByteBuffer.allocate(2 * (rows * LABELS + 1)).order(ByteOrder.LITTLE_ENDIAN);
    Random random = new Random(file.hashCode());
    while (tokens.hasRemaining()) {
      tokens.putShort((short) random.nextInt(256));
    }
    String header =
        "{'descr': '<u2', 'fortran_order': False, 'shape': (" + (rows * LABELS + 1) + ",), }";
    byte[] line = (header + " ".repeat(117 - header.length()) + "\n").getBytes(US_ASCII);
    byte[] begin = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) line.length, 0};
    Files.write(file, begin);
    Files.write(file, line, StandardOpenOption.APPEND);
    Files.write(file, tokens.array(), StandardOpenOption.APPEND);
    Set<String> found = new HashSet<>();
    for (int row = 0; row < rows; row++) {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(tokens.array(), 2 * row * LABELS, 2 * (LABELS + 1));
      found.add(HexFormat.of().formatHex(sha256.digest()));
    }
    return found;
  }

  private List<String> taken(StoredRuns runs, String run, int last) throws IOException {
    List<String> arguments =
        List.of(
            "--bootstrap",
            runs.service.kafka.bootstrapServers(),
            "--run",
            run,
            "--last",
            Integer.toString(last),
            "--state",
            directory.resolve(run + ".json").toString());
    return TestingPython.live("taken.py", arguments).lines().toList();
  }
}
