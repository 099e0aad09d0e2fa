package io.sluice.cli.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.run.StreamState;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What a build of November 2026 left of three runs, and how it went on with them.
 *
 * <p>{@code state.zip} is its service's state directory after an orderly stop: the broker's, and
 * the last checkpoint of each job, with its files inside its metadata so that it may lie anywhere.
 * The trainers, {@code taken.py}, were in the midst of the streams:
 *
 * <ul>
 *   <li>{@code velo}, Velocitune over three domains, of which one was read twice and has ended. It
 *       was pinned by hand at batch 12, rewound from 17 to 14 past the data of two batches, a
 *       command was refused, and it was trained to batch 22 of 24 granted.
 *   <li>{@code branch}, forked from it at batch 19 and drained to batch 24.
 *   <li>{@code static}, over a dataset of two lanes, trained to batch 3 of 7 granted.
 * </ul>
 *
 * <p>The same build was then started on the broker's directory, given the documents of {@code
 * prose.jsonl}, and trained on. What the trainers took, a line for each sequence, is in {@code
 * velo.csv} from batch 14 on, {@code branch.csv} from 20 and {@code static.csv} from 4. {@code
 * expected.json} holds what {@code run show} and {@code audit} said of each run when it was
 * recorded, and at the end. The other files are trainers' states, named by their batches.
 */
final class Recording {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Recording() {}

  /** One of its files. */
  static Path file(String name) {
    URL found = Recording.class.getResource("earlier-build/" + name);
    try {
      return Path.of(Objects.requireNonNull(found, name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Makes the state directory of a service of it.
   *
   * @param checkpoints whether its jobs go on from their checkpoints, not from the topics alone
   */
  static void unpack(Path state, boolean checkpoints) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file("state.zip")))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (checkpoints || !entry.getName().startsWith("flink/")) {
          Path target = state.resolve(entry.getName());
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
        }
      }
    }
  }

  /** A trainer's checkpoint, such as {@code velo-19}. */
  static StreamState state(String name) throws IOException {
    return StreamState.parse(Files.readString(file(name + ".json")));
  }

  /** What its trainers took of a run in the batches from one to another. */
  static List<String> taken(String run, long from, long to) throws IOException {
    return Files.readAllLines(file(run + ".csv")).stream()
        .filter(line -> batch(line) >= from && batch(line) <= to)
        .toList();
  }

  private static long batch(String line) {
    return Long.parseLong(line.split(",", -1)[1]);
  }

  /**
   * What a command said of a run.
   *
   * @param when {@code recorded} or {@code later}
   * @param command {@code show} or {@code audit}
   */
  static JsonNode expected(String run, String when, String command) throws IOException {
    return JSON.readTree(file("expected.json").toFile()).get(run).get(when).get(command);
  }
}
