package io.sluice.cli.dataset;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import io.sluice.jobs.prepare.DatasetSettings;
import io.sluice.jobs.prepare.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import java.nio.file.Path;
import java.util.List;

/** The {@code dataset.yaml} that a person writes. */
public final class DatasetFile {
  private static final long MOST = Integer.MAX_VALUE;

  private DatasetFile() {}

  /**
   * The dataset that the file describes, with every default resolved.
   *
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static DatasetSpec read(Path file) {
    return resolve(ConfigFile.read(file), file.toString());
  }

  static DatasetSpec resolve(ConfigSection root, String source) {
    String name = root.text("dataset");
    String tokenizer = root.text("tokenizer", "bytes");
    int sequenceLength = (int) root.count("sequence-length", "tokens", 1, MOST);
    int shuffleBuffer = (int) root.count("shuffle-buffer", "documents", 1, MOST, 10_000);
    long seed = root.count("seed", "", Long.MIN_VALUE, Long.MAX_VALUE, 0);
    double heldOut = root.number("held-out", 0, 1, 0.01);
    List<String> domains = root.texts("domains");
    int lanes = (int) root.count("lanes", "", 1, MOST, 1);
    root.requireNoOther();
    try {
      return DatasetSpecs.resolve(
          new DatasetSettings(
              name, tokenizer, sequenceLength, shuffleBuffer, seed, heldOut, domains, lanes));
    } catch (IllegalArgumentException e) {
      throw new BadInputException(source + ": " + e.getMessage(), e);
    }
  }
}
