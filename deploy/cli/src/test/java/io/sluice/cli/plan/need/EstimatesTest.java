package io.sluice.cli.plan.need;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.cli.plan.need.Quotas.Quota;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunFile;
import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a dataset of two domains and a run over it are estimated to need. */
class EstimatesTest {
  private static final Topics TOPICS = Topics.standard();
  private static final DatasetSpec DATA =
      DatasetSpecs.resolve(
          new DatasetSettings("small", "bytes", 256, 10, 1, .01, List.of("wiki", "code"), 1));
  private static final RecordBytes RECORD = RecordBytes.of(DATA);
  private static final String RUN =
      """
      run: velo
      dataset: small
      batch: 16 sequences
      batches: 1000
      initial-weights: {wiki: 3, code: 1}
      policy: {velocitune: {every: 20, target-fraction: 0.3}}
      eval-tokens: 4k tokens
      """;

  private static PlannedRun run(String text) {
    RunFile file = RunFile.parse(ConfigFile.parse("run.yaml", text), dataset -> 256);
    return new PlannedRun(
        RunApplication.outline(
            file,
            DATA,
            run -> {
              throw new IllegalStateException(run);
            },
            said -> {}),
        file.sequences(),
        file.initialWeights().needsTokens(),
        Optional.empty());
  }

  private static Demand demand(String run) {
    return Demand.of(DATA, OptionalLong.empty(), List.of(run(run)));
  }

  private static Supply supply(String domain, long blocks, long evalBlocks, boolean ended) {
    return new Supply(
        "small",
        DATA.getFingerprint(),
        domain,
        0,
        blocks,
        evalBlocks,
        0L,
        0L,
        ended,
        -1L,
        0L,
        null);
  }

  @Test
  void aDatasetHasTheTokensOfItsRunByTheFirstWeights() {
    Demand demand = demand(RUN);
    assertThat(demand.tokens()).hasValue(16 * 1000 * 256);
    assertThat(demand.of("wiki")).hasValue(3 * 4 * 1000 * 256);
    assertThat(demand.of("code")).hasValue(4 * 1000 * 256);
    assertThat(demand.from()).contains("run velo", "by the first weights");
  }

  @Test
  void whatIsRepeatedIsNeededOnce() {
    Demand demand = demand(RUN + "when-ended: {default: {repeat: 2}}\n");
    assertThat(demand.tokens()).hasValue(8 * 1000 * 256);
  }

  @Test
  void withoutAnEndTokensMustBeGiven() {
    String endless = RUN.replace("batches: 1000\n", "");
    assertThat(demand(endless).tokens()).isEmpty();
    assertThat(demand(endless).from()).contains("--tokens");
    Demand asked = Demand.of(DATA, OptionalLong.of(1_000_000), List.of(run(endless)));
    assertThat(asked.of("wiki")).hasValue(750_000);
  }

  @Test
  void weightsByTokensAreTakenForEven() {
    Demand demand = demand(RUN.replace("{wiki: 3, code: 1}", "token-proportional"));
    assertThat(demand.of("wiki")).hasValue(8 * 1000 * 256);
    assertThat(demand.from()).contains("evenly");
  }

  @Test
  void topicsHaveTheBytesOfTheirBlocks() {
    Map<String, Long> bytes = new ByteEstimates(TOPICS).dataset(DATA, demand(RUN), Map.of());
    assertThat(bytes).containsEntry(TOPICS.blocks("small", "wiki"), 12_000L * RECORD.block());
    assertThat(bytes).containsEntry(TOPICS.blocks("small", "code"), 4_000L * RECORD.block());
    // 1 % of the documents: 12,000 / 99 and 4,000 / 99 blocks.
    assertThat(bytes).containsEntry(TOPICS.eval("small", "wiki"), 122L * RECORD.block());
    assertThat(bytes).containsEntry(TOPICS.eval("small", "code"), 41L * RECORD.block());
    assertThat(bytes).containsEntry(TOPICS.corpus("wiki"), 12_122L * 256);
    assertThat(ByteEstimates.stream(run(RUN), DATA)).hasValue(16_000L * RECORD.streamed());
  }

  @Test
  void whatIsPreparedCountsAndADomainThatHasEndedIsWhatItIs() {
    Map<String, Supply> supply =
        Map.of(
            "wiki", supply("wiki", 100, 7, true),
            "code", supply("code", 9_000, 50, false));
    Map<String, Long> bytes = new ByteEstimates(TOPICS).dataset(DATA, demand(RUN), supply);
    assertThat(bytes).containsEntry(TOPICS.blocks("small", "wiki"), 100L * RECORD.block());
    assertThat(bytes).containsEntry(TOPICS.eval("small", "wiki"), 7L * RECORD.block());
    assertThat(bytes).containsEntry(TOPICS.blocks("small", "code"), 9_000L * RECORD.block());
  }

  @Test
  void aSequenceTakesItsTokensAndWhatIsSaidOfThem() {
    assertThat(RECORD.block()).isBetween(257 * 2 + 60, 257 * 2 + 160);
    assertThat(RECORD.streamed() - RECORD.block())
        .isEqualTo(StreamHeader.LENGTH + StreamHeader.KEY.length() + 2);
    assertThat(RECORD.lineage()).isZero();
    DatasetSpec hashed = DatasetSpec.newBuilder(DATA).setDocumentIds("hashes").build();
    assertThat(RecordBytes.of(hashed).block()).isLessThan(RECORD.block());
    assertThat(RecordBytes.of(hashed).lineage()).isPositive();
  }

  @Test
  void memoryIsWhatTheJobCountsForASplitOfEachLane() {
    MixMemory one = MixMemory.of(run(RUN).spec());
    assertThat(one.least()).isEqualTo((1 << 20) + 2 * (2 << 10) + 7 * FetchMemory.LEAST);
    assertThat(one.most()).isEqualTo((1 << 20) + 2 * (2 << 10) + 7 * (32 << 20));
    assertThat(one.leastHeap() * 0.4).isCloseTo((double) one.least(), within(1.0));
    assertThat(MixMemory.of(run(RUN + "delivery: tokens\n").spec())).isEqualTo(one);
  }

  @Test
  void evaluationReadsWholeBlocksOfEachDomain() {
    EvaluationCost cost = EvaluationCost.of(run(RUN).spec(), OptionalLong.empty()).orElseThrow();
    assertThat(cost.sequences()).isEqualTo(2 * 16);
    assertThat(cost.evaluated()).isEqualTo(2 * 16 * 256);
    assertThat(cost.trained()).isEqualTo(20 * 16 * 256);
    assertThat(cost.overhead()).isCloseTo(2 * 16 / (3.0 * 20 * 16), within(1e-9));
  }

  @Test
  void withoutEvalTokensAllThatIsHeldOutIsEvaluated() {
    PlannedRun all = run(RUN.replace("eval-tokens: 4k tokens\n", ""));
    assertThat(EvaluationCost.of(all.spec(), OptionalLong.empty())).isEmpty();
    EvaluationCost cost = EvaluationCost.of(all.spec(), OptionalLong.of(100 * 256)).orElseThrow();
    assertThat(cost.sequences()).isEqualTo(100);
    PlannedRun fixed = run(RUN.replaceFirst("policy: .*", "policy: static"));
    assertThat(EvaluationCost.of(fixed.spec(), OptionalLong.of(256))).isEmpty();
  }

  @Test
  void quotasAreTwiceWhatARateNeeds() {
    Quotas quotas = new Quotas(256_000, 4);
    PlannedRun run = run(RUN);
    // 1,000 sequences a second; each of 4 ranks has some of each batch in all 4 partitions.
    assertThat(quotas.trainer(run, DATA))
        .isEqualTo(
            new Quota(OptionalLong.empty(), OptionalLong.of(2L * 4 * 1000 * RECORD.streamed())));
    assertThat(quotas.jobs(List.of(run), Map.of("small", DATA)))
        .isEqualTo(
            new Quota(
                OptionalLong.of(2L * 1000 * (RECORD.streamed() + RECORD.block())),
                OptionalLong.of(2L * (1000 * RECORD.block() + 256_000))));
    assertThat(quotas.producer("wiki", Map.of(DATA, demand(RUN)), List.of(run)))
        .isEqualTo(new Quota(OptionalLong.of(2 * 192_000), OptionalLong.empty()));
    assertThat(quotas.producer("wiki", Map.of(DATA, demand(RUN)), List.of())).isEqualTo(Quota.NONE);
  }

  @Test
  void fewRowsAreInFewPartitions() {
    // One sequence a rank: each reads one partition of four.
    assertThat(new Quotas(256_000, 16).trainer(run(RUN), DATA).consumer())
        .hasValue(2L * 4 * 1000 * RECORD.streamed());
  }
}
