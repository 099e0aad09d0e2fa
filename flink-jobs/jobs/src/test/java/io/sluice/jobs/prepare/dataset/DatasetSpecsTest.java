package io.sluice.jobs.prepare.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DatasetSpecsTest {
  private static final List<String> DOMAINS = List.of("java", "prose");
  private static final TokenizerStore FILES = TokenizerStore.of(KafkaAccess.local("unused:9092"));
  private static final DatasetSettings SETTINGS =
      new DatasetSettings("demo", "bytes", 128, 64, 7, 0.05, DOMAINS, 1);

  @Test
  void fillsInWhatTheTokenizerSays() {
    DatasetSpec spec = DatasetSpecs.resolve(SETTINGS);

    assertThat(spec.getVocabulary()).isEqualTo(258);
    assertThat(spec.getTokenWidth()).isEqualTo(2);
    assertThat(spec.getEndOfDocument()).isEqualTo(256);
    assertThat(spec.getPadding()).isEqualTo(257);
    assertThat(spec.getLanes()).isEqualTo(1);
    assertThat(spec.getDomains()).isEqualTo(DOMAINS);
  }

  @Test
  void theFingerprintIsPartOfTheFormat() {
    assertThat(DatasetSpecs.resolve(SETTINGS).getFingerprint()).isEqualTo(0x89F8FC1EBF52EA12L);
  }

  @Test
  void everySettingThatChangesABlockChangesTheFingerprint() {
    Stream<DatasetSettings> others =
        Stream.of(
            SETTINGS,
            new DatasetSettings("demo", "r50k_base", 128, 64, 7, 0.05, DOMAINS, 1),
            new DatasetSettings("demo", "bytes", 129, 64, 7, 0.05, DOMAINS, 1),
            new DatasetSettings("demo", "bytes", 128, 65, 7, 0.05, DOMAINS, 1),
            new DatasetSettings("demo", "bytes", 128, 64, 8, 0.05, DOMAINS, 1),
            new DatasetSettings("demo", "bytes", 128, 64, 7, 0.06, DOMAINS, 1));

    assertThat(others.map(settings -> DatasetSpecs.resolve(settings).getFingerprint()))
        .doesNotHaveDuplicates();
  }

  @Test
  void nameAndDomainsDoNotChangeTheFingerprint() {
    DatasetSettings other =
        new DatasetSettings(
            "other", "bytes", 128, 64, 7, 0.05, List.of("prose", "java", "config"), 1);

    assertThat(DatasetSpecs.resolve(other).getFingerprint())
        .isEqualTo(DatasetSpecs.resolve(SETTINGS).getFingerprint());
  }

  @Test
  void whereDocumentsGoByTimeTheNameIsInTheFingerprintAndTheTimeIsNot() {
    long untimed = DatasetSpecs.resolve(SETTINGS).getFingerprint();
    long timed = releasing("demo", 30).getFingerprint();
    assertThat(timed).isNotEqualTo(untimed).isEqualTo(0x50587FBF9B4A0FB2L);
    assertThat(releasing("demo", 60).getFingerprint()).isEqualTo(timed);
    assertThat(releasing("other", 30).getFingerprint()).isNotIn(timed, untimed);
    assertThatCode(() -> DatasetSpecs.tokenizer(releasing("demo", 60), FILES).close())
        .doesNotThrowAnyException();
  }

  private static DatasetSpec releasing(String name, long seconds) {
    return DatasetSpecs.resolve(
        new DatasetSettings(name, "bytes", 128, 64, 7, 0.05, DOMAINS, 1)
            .with(new ShuffleSettings(64, Duration.ofSeconds(seconds), 7)));
  }

  @Test
  void whatIsHeldOutOtherwiseIsInTheFingerprint() {
    DatasetSpec before = DatasetSpecs.resolve(SETTINGS);
    DatasetSpec normalized = holding(0, 2);

    assertThat(normalized.getFingerprint()).isEqualTo(5823493148844470334L);
    assertThat(holding(64, 2).getFingerprint()).isEqualTo(6098942886183539151L);
    assertThat(holding(0, 1)).isEqualTo(before);
    assertThat(DatasetSpecs.withRulesOf(before, normalized)).isEqualTo(before);
    assertThat(DatasetSpecs.withRulesOf(normalized, normalized)).isEqualTo(normalized);
    assertThat(DatasetSpecs.withRulesOf(before, holding(64, 2))).isEqualTo(holding(64, 1));
    assertThatThrownBy(() -> holding(-1, 1))
        .hasMessage("held-out-tokens must be in [0, 4194304]: found -1");
    assertThatThrownBy(() -> holding(0, 3))
        .hasMessage(
            "the rule of what is held out must be in [1, 2]: found 3; a newer release has made"
                + " this dataset");
  }

  @Test
  void aTokenizersVersionIsChosenForANewDatasetAndKept() {
    DatasetSpec chosen = DatasetSpecs.resolve(pieces());
    DatasetSpec before = DatasetSpec.newBuilder(chosen).setTokenizerVersion(1).build();
    before.setFingerprint(0xFB7A8AA1E44B4222L); // as the release before gave it

    assertThat(chosen.getTokenizerVersion()).isEqualTo(2);
    assertThat(chosen.getFingerprint()).isEqualTo(0x0AF7BA473EB19CCCL);
    assertThatCode(() -> DatasetSpecs.tokenizer(before, FILES).close()).doesNotThrowAnyException();
    assertThat(DatasetSpecs.withRulesOf(before, chosen)).isEqualTo(before);
    assertThat(DatasetSpecs.withRulesOf(chosen, chosen)).isEqualTo(chosen);
    DatasetSpec bytes = DatasetSpecs.resolve(SETTINGS);
    assertThat(bytes.getTokenizerVersion()).isEqualTo(1);
    assertThat(DatasetSpecs.withRulesOf(bytes, chosen)).isEqualTo(chosen);
    chosen.setTokenizerVersion(3);
    assertThatThrownBy(() -> DatasetSpecs.tokenizer(chosen, FILES))
        .hasMessage(
            "version of the tokenizer '%s' must be in [1, 2]: found 3; a newer release has made"
                + " this dataset",
            chosen.getTokenizer());
  }

  @Test
  void aDatasetThatExistsKeepsWhatItsBlocksHaveOfDocuments() {
    DatasetSpec names = DatasetSpecs.resolve(SETTINGS);
    DatasetSpec hashes = DatasetSpecs.resolve(hashed());

    assertThat(names.getDocumentIds()).isEqualTo("names");
    assertThat(hashes.getFingerprint()).isNotEqualTo(names.getFingerprint());
    assertThat(DatasetSpecs.withRulesOf(names, hashes)).isEqualTo(names);
    assertThat(DatasetSpecs.withRulesOf(hashes, names)).isEqualTo(hashes);
    assertThatCode(() -> DatasetSpecs.tokenizer(hashes, FILES).close()).doesNotThrowAnyException();
    hashes.setDocumentIds("both");
    assertThatThrownBy(() -> DatasetSpecs.tokenizer(hashes, FILES))
        .hasMessage("document-ids must be one of [names, hashes]: found both");
  }

  private static DatasetSettings hashed() {
    return new DatasetSettings(
        SETTINGS.name(),
        DOMAINS,
        SETTINGS.lanes(),
        SETTINGS.tokens(),
        new PackingSettings(128, PackingSettings.CONCAT, 0, 1, PackingSettings.HASHES),
        SETTINGS.shuffle(),
        SETTINGS.heldOut());
  }

  @Test
  void aDatasetKnowsItsTokenizersFileByItsDigest() {
    DatasetSpec ofFile = DatasetSpecs.resolve(pieces());
    DatasetSpec before = DatasetSpec.newBuilder(ofFile).setTokenizerSha256("").build();
    DatasetSpec forged = DatasetSpec.newBuilder(ofFile).setTokenizerSha256("../x").build();

    assertThat(ofFile.getTokenizerSha256()).matches("[0-9a-f]{64}");
    assertThat(DatasetSpecs.resolve(SETTINGS).getTokenizerSha256()).isEmpty();
    assertThat(DatasetSpecs.withRulesOf(before, ofFile)).isEqualTo(ofFile);
    assertThatCode(() -> DatasetSpecs.tokenizer(before, FILES).close()).doesNotThrowAnyException();
    assertThatThrownBy(() -> DatasetSpecs.tokenizer(forged, FILES))
        .hasMessage("tokenizerSha256 must be 64 digits of hex: found '../x'");
  }

  @Test
  void whatStandsAroundADocumentIsInTheFingerprint() {
    DatasetSpec plain = DatasetSpecs.resolve(pieces());
    DatasetSpec begun = DatasetSpecs.resolve(pieces("[CLS]", ""));
    DatasetSpec ended = DatasetSpecs.resolve(pieces("", "[MASK]"));

    assertThat(plain.getBeginOfDocument()).isEqualTo(-1);
    assertThat(begun.getBeginOfDocument()).isEqualTo(2);
    assertThat(begun.getFingerprint()).isEqualTo(0x399B8D57774E2FBFL);
    assertThat(ended.getEndOfDocument()).isEqualTo(4);
    assertThat(ended.getFingerprint()).isNotIn(plain.getFingerprint(), begun.getFingerprint());
    assertThat(DatasetSpecs.resolve(pieces("none", "[SEP]")).getFingerprint())
        .isEqualTo(plain.getFingerprint());
    DatasetSpec first = DatasetSpec.newBuilder(plain).setTokenizerVersion(1).build();
    assertThat(DatasetSpecs.withRulesOf(first, begun).getBeginOfDocument()).isEqualTo(2);
    assertThat(DatasetSpecs.withRulesOf(first, plain).getBeginOfDocument()).isEqualTo(-1);
  }

  private static DatasetSettings pieces(String bos, String eos) {
    DatasetSettings own = pieces();
    return new DatasetSettings(
        own.name(),
        own.domains(),
        own.lanes(),
        new TokenSettings(own.tokens().tokenizer(), bos, eos),
        own.packing(),
        own.shuffle(),
        own.heldOut(),
        own.fim());
  }

  private static DatasetSettings pieces() {
    String tokenizer = "file:src/test/resources/tokenizers/small/word-piece.json";
    return new DatasetSettings("demo", tokenizer, 128, 64, 7, 0.05, DOMAINS, 1);
  }

  private static DatasetSpec holding(int tokens, int rule) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            "demo",
            DOMAINS,
            1,
            SETTINGS.tokens(),
            SETTINGS.packing(),
            SETTINGS.shuffle(),
            new HeldOutSettings(0.05, tokens, rule)));
  }

  @Test
  void refusesASpecificationThatItWouldNotMake() {
    DatasetSpec changed = DatasetSpecs.resolve(SETTINGS);
    changed.setSequenceLength(256);
    DatasetSpec lanes = DatasetSpecs.resolve(SETTINGS);
    lanes.setLanes(65);
    DatasetSpec wait = releasing("demo", 30);
    wait.setShuffleWaitMillis(999);

    assertThatThrownBy(() -> DatasetSpecs.tokenizer(changed, FILES))
        .hasMessageStartingWith("dataset 'demo' has fingerprint ")
        .hasMessageEndingWith("the tokenizer's file or the packing has changed");
    assertThatThrownBy(() -> DatasetSpecs.tokenizer(lanes, FILES))
        .hasMessage("lanes must be in [1, 64]: found 65");
    assertThatThrownBy(() -> DatasetSpecs.tokenizer(wait, FILES))
        .hasMessage("shuffle-wait must be in [1s, 365d], or zero for never: found PT0.999S");
  }
}
