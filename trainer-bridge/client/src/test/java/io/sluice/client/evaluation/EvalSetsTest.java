package io.sluice.client.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.EvalSetException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingSets;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

final class EvalSetsTest {
  private final TestingConsumer<byte[]> topics = TestingConsumer.of(3);
  private final TestingSets sets = new TestingSets();
  private final List<String> said = new ArrayList<>();
  private final RunInfo run = new TestingStream(1, 4).run();

  @Test
  void readsTheFirstBlocksOfEachDomainInOrder() {
    create(2);
    write("java", 0, block("java", 0, 0), block("java", 0, 1), block("java", 0, 2));
    write("java", 1, block("java", 1, 0), end("java", 1));
    write("prose", 0, block("prose", 0, 0), end("prose", 0));
    write("prose", 1, end("prose", 1));
    write("config", 0, end("config", 0));
    write("config", 1, block("config", 1, 0), end("config", 1));
    Map<String, List<TokenBlock>> sets = read(3);
    assertThat(sets).containsOnlyKeys(TestingStream.DOMAINS);
    assertThat(sets.get("java"))
        .containsExactly(block("java", 0, 0), block("java", 1, 0), block("java", 0, 1));
    assertThat(sets.get("prose")).containsExactly(block("prose", 0, 0));
    assertThat(sets.get("config")).containsExactly(block("config", 1, 0));
  }

  @Test
  void namesADomainWithoutHeldOutBlocks() {
    create(1);
    write("java", 0, block("java", 0, 0));
    write("prose", 0, end("prose", 0));
    assertThatThrownBy(() -> read(1))
        .isInstanceOf(EvalSetException.class)
        .hasMessage(
            "domain 'prose' has no held-out block: give it more documents or a larger held-out"
                + " share");
  }

  @Test
  void saysWhichDomainsAreNotThereYet() {
    create(1);
    write("java", 0, block("java", 0, 0), block("java", 0, 1));
    write("config", 0, block("config", 0, 0));
    assertThatThrownBy(() -> read(2))
        .isInstanceOf(EvalSetException.class)
        .hasMessage(
            "held-out blocks did not come within 5 s: prose (0 of 2, end not reached), config (1"
                + " of 2, end not reached)");
  }

  @Test
  void whatIsWaitedForIsSaidAfterTenSecondsAndThenEachMinute() {
    create(1);
    write("java", 0, block("java", 0, 0), end("java", 0));
    write("config", 0, block("config", 0, 0));
    assertThatThrownBy(() -> read(2, Duration.ofSeconds(75))).isInstanceOf(EvalSetException.class);
    String missing =
        " s, of 75 s that they may take: prose (0 of 2, end not reached), config (1 of 2, end not"
            + " reached); fewer are enough of a domain that has ended";
    assertThat(said)
        .containsExactly(
            "held-out blocks have not come for 10" + missing,
            "held-out blocks have not come for 70" + missing);
  }

  @Test
  void refusesBlocksOfAnotherDataset() {
    create(1);
    TokenBlock foreign = block("java", 0, 0);
    foreign.setFingerprint(0xBAD);
    write("java", 0, foreign);
    assertThatThrownBy(() -> read(1))
        .isInstanceOf(EvalSetException.class)
        .hasMessage(
            "held-out blocks of domain 'java' are of dataset fingerprint bad, the run needs 5eed");
  }

  @Test
  void noLabelCountsOfDocumentsThatTheRunMasks() {
    create(1);
    write("java", 0, of(0, "b", "b"), of(1, "b", "c"), of(2, "a", "c"));
    write("prose", 0, block("prose", 0, 0), end("prose", 0));
    write("config", 0, block("config", 0, 0), end("config", 0));
    DocumentHashes forgotten =
        DocumentHashes.of(new TreeMap<>(Map.of("java", Set.of(DocumentKey.of("java", "b")))))
            .get(0);
    run.spec().setMasks(List.of(new DocumentMask(1_000L, forgotten.name(), 1, "")));

    assertThatThrownBy(() -> read(2))
        .isInstanceOf(EvalSetException.class)
        .hasMessageContaining("the testing topic has no set")
        .hasMessageEndingWith(forgotten.name());
    sets.add(forgotten);
    TokenBlock masked = of(1, "b", "c");
    masked.setLossMask(List.of(0, 2, 2));
    masked.setTrainedTokens(2);
    assertThat(read(2).get("java")).containsExactly(masked, of(2, "a", "c"));
  }

  private Map<String, List<TokenBlock>> read(int maxBlocks) {
    return read(maxBlocks, Duration.ofSeconds(5));
  }

  private Map<String, List<TokenBlock>> read(int maxBlocks, Duration timeout) {
    return new EvalSets.Reading(
            KafkaAccess.local("localhost:9092"),
            run,
            maxBlocks,
            timeout,
            topics,
            sets,
            new Waiting(timeout, topics::nanoTime, said::add))
        .run();
  }

  private void create(int lanes) {
    TestingStream.DOMAINS.forEach(domain -> topics.create("sluice.eval.d." + domain, lanes));
  }

  private void write(String domain, int lane, SpecificRecordBase... messages) {
    for (SpecificRecordBase message : messages) {
      topics.append(
          "sluice.eval.d." + domain, lane, 0, WireCodec.encode(message), new RecordHeaders());
    }
  }

  private static TokenBlock block(String domain, int lane, long ordinal) {
    TokenBlock block = TestingStream.block(domain, ordinal);
    block.setLane(lane);
    return block;
  }

  private static TokenBlock of(long ordinal, String first, String second) {
    TokenBlock block = block("java", 0, ordinal);
    block.setDocumentIds(List.of(first, second));
    return block;
  }

  private static EndOfDomain end(String domain, int lane) {
    return new EndOfDomain(domain, lane, 0L);
  }
}
