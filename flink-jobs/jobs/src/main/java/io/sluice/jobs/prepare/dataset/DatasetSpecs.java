package io.sluice.jobs.prepare.dataset;

import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.TokenizerChoice;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.DatasetSpec;
import java.time.Duration;

/** Complete dataset specifications, with their {@link Fingerprints}. */
public final class DatasetSpecs {
  private DatasetSpecs() {}

  /**
   * The specification that follows from the settings.
   *
   * @throws IllegalArgumentException if the tokenizer is unknown or cannot be loaded
   */
  public static DatasetSpec resolve(DatasetSettings settings) {
    TokenSettings tokens = settings.tokens();
    int version = Tokenizers.newestVersion(tokens.tokenizer());
    try (Tokenizer tokenizer =
        Tokenizers.forName(
            new TokenizerChoice(tokens.tokenizer(), version, tokens.bos(), tokens.eos()))) {
      Vocabulary vocabulary = tokenizer.vocabulary();
      settings.fim().requireIn(vocabulary);
      DatasetSpec spec =
          DatasetSpec.newBuilder()
              .setName(settings.name())
              .setFingerprint(0)
              .setTokenizer(tokens.tokenizer())
              .setTokenizerVersion(version)
              .setTokenizerSha256(Tokenizers.sha256(tokenizer))
              .setBos(tokens.bos())
              .setEos(tokens.eos())
              .setVocabulary(vocabulary.size())
              .setTokenWidth(vocabulary.tokenWidth())
              .setBeginOfDocument(vocabulary.beginOfDocument())
              .setEndOfDocument(vocabulary.endOfDocument())
              .setPadding(vocabulary.padding())
              .setSequenceLength(settings.packing().sequenceLength())
              .setPacking(settings.packing().mode())
              .setPackingWindow(settings.packing().window())
              .setPadDocumentsTo(settings.packing().padDocumentsTo())
              .setDocumentIds(settings.packing().documentIds())
              .setFimRate(settings.fim().rate())
              .setFimSpm(settings.fim().spm())
              .setFimTokens(settings.fim().tokens())
              .setShuffleBuffer(settings.shuffle().buffer())
              .setSeed(settings.shuffle().seed())
              .setHeldOut(settings.heldOut().share())
              .setHeldOutTokens(settings.heldOut().tokens())
              .setHeldOutRule(settings.heldOut().rule())
              .setLanes(settings.lanes())
              .setDomains(settings.domains())
              .setShuffleWaitMillis(settings.shuffle().longestWait().toMillis())
              .build();
      spec.setFingerprint(Fingerprints.of(spec, tokenizer.identity()));
      return spec;
    }
  }

  /**
   * The dataset by the rules that it was made with when it was new, so that applying its file again
   * changes nothing: an earlier release had others.
   *
   * @param wanted what the settings give today
   */
  public static DatasetSpec withRulesOf(DatasetSpec existing, DatasetSpec wanted) {
    DatasetSpec kept =
        DatasetSpec.newBuilder(wanted)
            .setHeldOutRule(existing.getHeldOutRule())
            .setDocumentIds(existing.getDocumentIds())
            .build();
    if (existing.getTokenizer().equals(wanted.getTokenizer())) {
      kept.setTokenizerVersion(existing.getTokenizerVersion());
    }
    if (kept.equals(wanted)) {
      return wanted;
    }
    try (Tokenizer tokenizer = Tokenizers.forName(choice(kept))) {
      Vocabulary vocabulary = tokenizer.vocabulary();
      kept.setBeginOfDocument(vocabulary.beginOfDocument());
      kept.setEndOfDocument(vocabulary.endOfDocument());
      kept.setPadding(vocabulary.padding());
      kept.setFingerprint(Fingerprints.of(kept, tokenizer.identity()));
    }
    return kept;
  }

  /**
   * The specification's tokenizer, after checking that the specification is one that this version
   * makes: settings in range, and a fingerprint that this tokenizer gives.
   *
   * @param files where the file is found that the dataset was made with
   * @throws IllegalArgumentException if not, saying what differs, or if there is no such file
   */
  public static Tokenizer tokenizer(DatasetSpec spec, TokenizerStore files) {
    requireInRange(spec);
    TokenizerChoice choice = choice(spec);
    Tokenizer tokenizer =
        spec.getTokenizerSha256().isEmpty()
            ? Tokenizers.forName(choice)
            : Tokenizers.of(choice, files.content(spec.getTokenizer(), spec.getTokenizerSha256()));
    long fingerprint = Fingerprints.of(spec, tokenizer.identity());
    if (fingerprint != spec.getFingerprint()) {
      tokenizer.close();
      throw new IllegalArgumentException(
          String.format(
              "dataset '%s' has fingerprint %016x, but its settings and the tokenizer '%s' as it is"
                  + " here give %016x: the tokenizer's file or the packing has changed",
              spec.getName(), spec.getFingerprint(), spec.getTokenizer(), fingerprint));
    }
    return tokenizer;
  }

  private static TokenizerChoice choice(DatasetSpec spec) {
    return new TokenizerChoice(
        spec.getTokenizer(), spec.getTokenizerVersion(), spec.getBos(), spec.getEos());
  }

  private static void requireInRange(DatasetSpec spec) {
    new DatasetSettings(
        spec.getName(),
        spec.getDomains(),
        spec.getLanes(),
        new TokenSettings(spec.getTokenizer(), spec.getBos(), spec.getEos()),
        new PackingSettings(
            spec.getSequenceLength(),
            spec.getPacking(),
            spec.getPackingWindow(),
            spec.getPadDocumentsTo(),
            spec.getDocumentIds()),
        new ShuffleSettings(
            spec.getShuffleBuffer(),
            Duration.ofMillis(spec.getShuffleWaitMillis()),
            spec.getSeed()),
        new HeldOutSettings(spec.getHeldOut(), spec.getHeldOutTokens(), spec.getHeldOutRule()),
        new FimSettings(spec.getFimRate(), spec.getFimSpm(), spec.getFimTokens()));
  }
}
