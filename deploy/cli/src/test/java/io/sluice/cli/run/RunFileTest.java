package io.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import io.sluice.control.config.OptionReader;
import io.sluice.control.error.BadInputException;
import io.sluice.control.runs.RowStages;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunFile;
import io.sluice.control.runs.RunOptions;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFileTest {
  private static final DatasetSpec DATA =
      DatasetSpecs.resolve(
          new DatasetSettings("small", "bytes", 64, 10, 1, .1, List.of("wiki", "code"), 1));

  private static final String WHOLE =
      """
      run: velo
      dataset: small
      batch: [{from: 1, size: 512 sequences}, {from: 100, size: 64k tokens}]
      batches: 2000
      initial-weights: {wiki: 3, code: 1}
      policy: {velocitune: {every: 150, targets: {wiki: 2.1, code: 0.9}, eta: 0.5}}
      apply: {lag: 2, on-timeout: keep-weights, timeout: 10m, lead: 40}
      smoothing: {new-weight: 0.25}
      when-ended: {default: stop, wiki: {repeat: 2}}
      stream-partitions: 8
      eval-tokens: 64k tokens
      probe-tokens: 512
      seed: 7
      """;

  @Test
  void readsEveryKey() {
    RunSpec spec = resolve(WHOLE);
    assertThat(spec.getBatchSizes().get(0).getSequences()).isEqualTo(512);
    assertThat(spec.getBatchSizes().get(1).getFromBatch()).isEqualTo(100);
    assertThat(spec.getBatchSizes().get(1).getSequences()).isEqualTo(1000);
    assertThat(spec.getBatches()).isEqualTo(2000);
    assertThat(spec.getInitialWeights()).containsExactly(3 * Weights.UNIT / 4, Weights.UNIT / 4);
    assertThat(spec.getPolicy()).isEqualTo("velocitune");
    assertThat(spec.getPolicySettings())
        .isEqualTo(Map.of("targets.wiki", "2.1", "targets.code", "0.9", "eta", "0.5"));
    assertThat(spec.getUpdateEvery()).isEqualTo(150);
    assertThat(spec.getLag()).isEqualTo(2);
    assertThat(spec.getOnTimeout()).isEqualTo("keep-weights");
    assertThat(spec.getTimeoutMillis()).isEqualTo(600_000);
    assertThat(spec.getLead()).isEqualTo(40);
    assertThat(spec.getSmoothing()).isEqualTo(Map.of("new-weight", "0.25"));
    assertThat(spec.getEpochs()).containsExactly(2, 0);
    assertThat(spec.getStreamPartitions()).isEqualTo(8);
    assertThat(spec.getEvalTokens()).isEqualTo(64_000);
    assertThat(spec.getProbeTokens()).isEqualTo(512);
    assertThat(spec.getFingerprint()).isEqualTo(DATA.getFingerprint());
  }

  @Test
  void derivedRunsNeedADatasetWithAStore() {
    RunFile file = parse(WHOLE + "delivery: derived\n");
    Weights first = file.initialWeights().resolve(DATA.getDomains(), Map.of());
    DatasetSpec bare = DatasetSpec.newBuilder(DATA).setStore("").build();
    assertThatThrownBy(() -> file.resolve(bare, file.policySettings(), first))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "delivery: derived needs a dataset with a store, where its blocks are put as files:"
                + " dataset 'small' has none; put 'store: file:///PATH' or 'store: s3://BUCKET'"
                + " into its file, and apply that");
    for (String store : List.of("file:///data", "s3://bucket/segments")) {
      DatasetSpec stored = DatasetSpec.newBuilder(DATA).setStore(store).build();
      assertThat(file.resolve(stored, file.policySettings(), first).getDelivery())
          .isEqualTo("derived");
    }
    assertThatThrownBy(() -> parse(WHOLE + "delivery: files\n"))
        .hasMessageContaining("'delivery' must be one of")
        .hasMessageContaining("tokens, derived");
  }

  @Test
  void predictsWhatMeasuringCosts() {
    assertThat(RunApplication.predictedCost(resolve(WHOLE)).orElseThrow())
        .hasToString(
            "measurements cost about 0.9 % of training: 128000 tokens evaluated and 0 probed for"
                + " every 4915200 trained");
    String open = WHOLE.replace("eval-tokens: 64k tokens\n", "");
    assertThat(RunApplication.predictedCost(resolve(open))).isEmpty();
  }

  @Test
  void weighsByTokens() {
    String yaml = "run: r\ndataset: small\nbatch: 4 sequences\npolicy: static\n";
    RunFile file = parse(yaml + "initial-weights: token-proportional\n");
    List<String> domains = DATA.getDomains();
    assertThat(file.initialWeights().resolve(domains, Map.of("wiki", 300L, "code", 100L)).parts())
        .containsExactly(3 * Weights.UNIT / 4, Weights.UNIT / 4);
    assertThatThrownBy(() -> file.initialWeights().resolve(domains, Map.of("wiki", 300L)))
        .hasMessage(
            "initial-weights: token-proportional needs tokens of every domain: code has none");
  }

  @Test
  void flattensTokensByATemperature() {
    String yaml = "run: r\ndataset: small\nbatch: 4 sequences\npolicy: static\n";
    RunFile file = parse(yaml + "initial-weights: {temperature: 2}\n");
    Map<String, Long> tokens = Map.of("wiki", 900L, "code", 100L);
    assertThat(file.initialWeights().resolve(DATA.getDomains(), tokens).parts())
        .containsExactly(3 * Weights.UNIT / 4, Weights.UNIT / 4);
  }

  @Test
  void beginsABatchSizeWhenSoManyTokensHaveBeenSeen() {
    RunSpec spec =
        resolve(
            """
            run: ramp
            dataset: small
            batch:
              - {from: 0 tokens, size: 10 sequences}
              - {from: 6400 tokens, size: 20 sequences}
              - {from: 9k tokens, size: 2560 tokens}
              - {from: 40, size: 64 sequences}
            initial-weights: uniform
            policy: static
            when-behind: redistribute
            reclaim: checkpoint
            """);
    assertThat(spec.getBatchSizes())
        .containsExactly(
            new BatchSize(1L, 10),
            new BatchSize(11L, 20),
            new BatchSize(14L, 40),
            new BatchSize(40L, 64));
    assertThat(spec.getWhenBehind()).isEqualTo("redistribute");
    assertThat(spec.getReclaim()).isEqualTo("checkpoint");
    assertThat(spec.getDelivery()).isEqualTo("tokens");
  }

  @Test
  void readsSequencesInShorterRowsFromABatchOn() {
    String yaml =
        "run: r\ndataset: small\nbatch: 4 sequences\npolicy: static\ninitial-weights: uniform\n";
    assertThat(resolve(yaml).getRowLengths()).isEmpty();
    assertThat(resolve(yaml + "sequence-length: 64\n").getRowLengths()).isEmpty();
    assertThat(resolve(yaml + "sequence-length: 16 tokens\n").getRowLengths())
        .containsExactly(new RowLength(1L, 16));
    RunSpec staged =
        resolve(
            yaml
                + "sequence-length: [{from: 1, length: 16}, {from: 100 batches, length: 32 tokens},"
                + " {from: 1000, length: 64}]\n");
    assertThat(staged.getRowLengths())
        .containsExactly(new RowLength(1L, 16), new RowLength(100L, 32), new RowLength(1_000L, 64));
    assertThat(resolve(ExportCommand.yaml(staged))).isEqualTo(staged);
    assertThat(RowStages.of(staged))
        .hasToString(
            "rows of a batch: 16 of 16 tokens from batch 1 on, 8 of 32 tokens from batch 100 on,"
                + " 4 of 64 tokens from batch 1000 on");
    assertThat(RowStages.of(resolve(yaml)).stages()).isEmpty();
  }

  @Test
  void exportsAFileThatComesToTheSameRun() {
    for (String yaml : List.of(WHOLE, WHOLE.replace("stop, wiki", "redistribute, wiki"))) {
      RunSpec spec = resolve(yaml);
      assertThat(resolve(ExportCommand.yaml(spec))).isEqualTo(spec);
    }
  }

  @Test
  void readsATreeOfGroupsInStages() {
    RunSpec spec =
        resolve(
            """
            run: tree
            dataset: small
            batch: 4 sequences
            initial-weights: uniform
            policy:
              tree:
                every: 10
                groups:
                  text: {domains: [wiki], policy: {topic-perplexity: {}}}
                  code: {domains: [code], policy: {velocitune: {target-fraction: 0.5}}}
                stages:
                  - {ratios: {text: 1, code: 0}, until: 130k tokens}
                  - {to: {text: 1, code: 3}, change: cosine, for: 20 batches}
                  - {rest: [text, code]}
            """);
    assertThat(spec.getPolicySettings())
        .isEqualTo(
            Map.ofEntries(
                Map.entry("groups.text.domains", "wiki"),
                Map.entry("groups.text.policy.topic-perplexity", ""),
                Map.entry("groups.code.domains", "code"),
                Map.entry("groups.code.policy.velocitune.target-fraction", "0.5"),
                Map.entry("stages.1.ratios.text", "1"),
                Map.entry("stages.1.ratios.code", "0"),
                Map.entry("stages.1.until", "2032 sequences"),
                Map.entry("stages.2.to.text", "1"),
                Map.entry("stages.2.to.code", "3"),
                Map.entry("stages.2.change", "cosine"),
                Map.entry("stages.2.for", "20 batches"),
                Map.entry("stages.3.rest", "text code")));
  }

  @Test
  void everyKeyIsDeclaredWithAnExampleThatIsRead() {
    for (Option<?> option : RunOptions.ALL) {
      ConfigSection root = ConfigFile.parse("run.yaml", nested(option.key(), option.example()));
      assertThat(new OptionReader(root).get(option)).as(option.key()).isNotNull();
      assertThat(option.description()).as(option.key()).endsWith(".");
      assertThat(option.type()).as(option.key()).isNotEmpty();
      assertThat(option.allowed()).as(option.key()).isNotEmpty();
    }
    assertThat(RunOptions.ALL.stream().map(Option::key))
        .containsExactly(
            "run",
            "dataset",
            "batch",
            "sequence-length",
            "initial-weights",
            "policy",
            "smoothing",
            "when-ended",
            "batches",
            "apply.lag",
            "apply.on-timeout",
            "apply.timeout",
            "apply.lead",
            "when-behind",
            "delivery",
            "reclaim",
            "priority",
            "limits.tokens-per-second",
            "limits.stream",
            "stream-partitions",
            "eval-tokens",
            "probe-tokens",
            "seed");
  }

  private static String nested(String key, String value) {
    int dot = key.indexOf('.');
    return dot < 0
        ? key + ": " + value
        : key.substring(0, dot) + ": {" + key.substring(dot + 1) + ": " + value + "}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "batch: 512 sequences|batch: many|'batch' must be a whole number",
        "batch: 512 sequences|batch: 100 tokens|'batch' must be whole sequences of 64 tokens, such"
            + " as 64 or 128 tokens: found '100 tokens'",
        "batch: 512 sequences|batch: 512|'batch' must be a whole number",
        "seed: 7|sequence-length: 48|'sequence-length' must be 1 to 64 tokens, a divisor of the"
            + " dataset's 64: found '48 tokens'",
        "seed: 7|sequence-length: 128 tokens|'sequence-length' must be 1 to 64 tokens, a divisor",
        "seed: 7|sequence-length: 0|'sequence-length' must be a whole number",
        "seed: 7|sequence-length: -16|'sequence-length' must be a whole number",
        "seed: 7|sequence-length: long|'sequence-length' must be a whole number",
        "seed: 7|sequence-length: 99999999999|'sequence-length' must be a whole number",
        "seed: 7|sequence-length: [{from: 0, length: 16}]|must be after batch 0, where the length"
            + " before begins: found 'batch 0'",
        "seed: 7|sequence-length: [{from: 9, length: 16}, {from: 9, length: 32}]|must be after"
            + " batch 9, where the length before begins: found 'batch 9'",
        "seed: 7|sequence-length: [{from: 9, length: 5}]|must be 1 to 64 tokens, a divisor of the"
            + " dataset's 64: found '5 tokens'",
        "seed: 7|sequence-length: [{from: 9, length: 16, size: 4}]|unknown key",
        "seed: 7|when-behind: hope|'when-behind' must be one of",
        "seed: 7|reclaim: now|'reclaim' must be one of",
        "seed: 7|seed: seven|'seed' must be a whole number",
        "seed: 7|speed: 7|unknown key 'speed'",
        "wiki: 3, code: 1|wiki: 0, code: 0|initial-weights must have a sum above 0: 0.0",
        "wiki: 3, code: 1|wiki: 3, code: -1|'initial-weights.code' must be a number from 0.0",
        "wiki: 3, code: 1|wiki: 3, code: .nan|run.yaml, line 5, column 38: Malformed numeric value",
        "wiki: 3, code: 1|wiki: 3, law: 1|initial-weights.law is not a domain of the run",
        "{wiki: 3, code: 1}|guess|'initial-weights' must be uniform, token-proportional,"
            + " {temperature",
        "{wiki: 3, code: 1}|{temperature: 0}|'initial-weights.temperature' must be a number from"
            + " 0.1",
        "every: 150|every: 0|'policy.velocitune.every' must be at least 1 step: found '0'",
        "every: 150, |''|policy.every must be at least 1 for velocitune: 0",
        "velocitune: {|magic: {|policy must be one of [",
        "code: 0.9|code: low|policy.velocitune.targets.code must be a number: 'low'",
        "new-weight: 0.25|new-weight: 2|smoothing.new-weight must be in (0, 1.0]: 2",
        "new-weight: 0.25|new-weight: 0|smoothing.new-weight must be in (0, 1.0]: 0",
        "new-weight: 0.25|frozen: [wiki, law]|smoothing.frozen",
        "new-weight: 0.25|hope: 1|smoothing.hope is not a setting",
        "keep-weights|panic|'apply.on-timeout' must be one of hold, keep-weights",
        "{repeat: 2}|{repeat: 0}|'when-ended.wiki.repeat' must be a whole number",
        "64k tokens|-1|'eval-tokens' must be a whole number",
        "probe-tokens: 512|probe-tokens: 9 blocks|'probe-tokens' must be a whole number",
        "{repeat: 2}|shrug|'when-ended.wiki' must be redistribute, stop, or {repeat: N}",
        "run: velo|run: 'v e'|run must be 1 to 63 letters",
      })
  void saysWhatIsWrong(String good, String bad, String message) {
    String yaml =
        WHOLE.replace(
            "batch: [{from: 1, size: 512 sequences}, {from: 100, size: 64k tokens}]",
            "batch: 512 sequences");
    assertThat(yaml).contains(good);
    assertThatThrownBy(() -> resolve(yaml.replace(good, bad)))
        .isInstanceOfAny(BadInputException.class, IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static RunSpec resolve(String yaml) {
    RunFile file = parse(yaml);
    Weights first = file.initialWeights().resolve(DATA.getDomains(), Map.of());
    return file.resolve(DATA, file.policySettings(), first);
  }

  private static RunFile parse(String yaml) {
    return RunFile.parse(ConfigFile.parse("run.yaml", yaml), dataset -> DATA.getSequenceLength());
  }
}
