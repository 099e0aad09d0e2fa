package io.sluice.cli.dataset;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.OptionReader;
import io.sluice.control.error.BadInputException;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.FimSettings;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.segment.SegmentStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The {@code dataset.yaml} that a person writes. */
public final class DatasetFile {
  private static final int USUAL_WINDOW = 64;

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
    OptionReader file = new OptionReader(root);
    String name = file.get(DatasetOptions.DATASET);
    List<String> domains = file.get(DatasetOptions.DOMAINS);
    int lanes = file.get(DatasetOptions.LANES).intValue();
    String tokenizer = file.get(DatasetOptions.TOKENIZER);
    String bos = file.get(DatasetOptions.BOS);
    String eos = file.get(DatasetOptions.EOS);
    int sequenceLength = file.get(DatasetOptions.SEQUENCE_LENGTH).intValue();
    String packing = file.get(DatasetOptions.PACKING);
    int window = file.get(DatasetOptions.PACKING_WINDOW).intValue();
    int padDocumentsTo = file.get(DatasetOptions.PAD_DOCUMENTS_TO).intValue();
    String documentIds = file.get(DatasetOptions.DOCUMENT_IDS);
    double fimRate = file.get(DatasetOptions.FIM_RATE);
    double fimSpm = file.get(DatasetOptions.FIM_SPM);
    List<String> fimTokens = file.get(DatasetOptions.FIM_TOKENS);
    boolean global = file.get(DatasetOptions.SHUFFLE).equals(DatasetOptions.GLOBAL);
    boolean buffered = root.has(DatasetOptions.SHUFFLE_BUFFER.key());
    int shuffleBuffer = file.get(DatasetOptions.SHUFFLE_BUFFER).intValue();
    Duration shuffleWait = file.get(DatasetOptions.SHUFFLE_WAIT);
    long seed = file.get(DatasetOptions.SEED);
    double heldOut = file.get(DatasetOptions.HELD_OUT);
    int heldOutTokens = file.get(DatasetOptions.HELD_OUT_TOKENS).intValue();
    List<DatasetSource> sources =
        DatasetSources.read(file.get(DatasetOptions.SOURCES), domains, source);
    String store = file.get(DatasetOptions.STORE);
    file.requireNoOther();
    if (global && buffered) {
      throw new BadInputException(
          source + ": shuffle-buffer is for shuffle: buffer alone: found " + shuffleBuffer);
    }
    try {
      if (!store.isEmpty()) {
        SegmentStore.of(store);
      }
      DatasetSpec spec =
          DatasetSpecs.resolve(
              new DatasetSettings(
                  name,
                  domains,
                  lanes,
                  new TokenSettings(tokenizer, bos, eos),
                  new PackingSettings(
                      sequenceLength,
                      packing,
                      window(packing, window),
                      padDocumentsTo,
                      documentIds),
                  new ShuffleSettings(
                      global ? ShuffleSettings.GLOBAL : shuffleBuffer, shuffleWait, seed),
                  new HeldOutSettings(heldOut, heldOutTokens, HeldOutRule.NEWEST),
                  new FimSettings(fimRate, fimSpm, ids(fimTokens))));
      DatasetSpec whole = DatasetSpec.newBuilder(spec).setSources(sources).setStore(store).build();
      InPlaceSources.require(whole, source);
      return whole;
    } catch (IllegalArgumentException e) {
      throw new BadInputException(source + ": " + e.getMessage(), e);
    }
  }

  private static List<Integer> ids(List<String> tokens) {
    try {
      return tokens.stream().map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("fim-tokens must be token ids: found " + tokens, e);
    }
  }

  /** The window that the file names, or the usual one where documents are fitted. */
  private static int window(String packing, int named) {
    boolean usual = named == 0 && packing.equals(PackingSettings.BEST_FIT);
    return usual ? USUAL_WINDOW : named;
  }
}
