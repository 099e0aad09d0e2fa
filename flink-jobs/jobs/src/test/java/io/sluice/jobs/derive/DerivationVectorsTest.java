package io.sluice.jobs.derive;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.jobs.derive.Emission.Sequence;
import io.sluice.jobs.derive.LoggedRun.Logged;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.RunSpec;
import io.sluice.schema.segment.BatchDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The examples of docs/protocol.md of what is derived of control logs: what the source emits of
 * them. {@code -Dsluice.write=true} writes them anew.
 */
final class DerivationVectorsTest {
  private static final Path FILE = Path.of("../../schemas/src/test/resources/vectors/derived.json");
  private static final List<BatchSize> GROWING =
      List.of(new BatchSize(1L, 24), new BatchSize(5L, 48), new BatchSize(9L, 96));
  private static final List<BatchSize> SAME = List.of(new BatchSize(1L, 24));
  private static final int[] WORLDS = {1, 3, 8};

  private final ObjectMapper json = new ObjectMapper();

  @Test
  void areWhatTheSourceEmits() throws IOException {
    ArrayNode cases = json.createArrayNode();
    cases.add(smallDomain());
    cases.add(byHand());
    cases.add(rewound());
    cases.add(forked());
    cases.add(changedDomains());
    String text = json.writerWithDefaultPrettyPrinter().writeValueAsString(cases) + "\n";
    if (Boolean.getBoolean("sluice.write")) {
      Files.writeString(FILE, text);
    }
    assertThat(Files.readString(FILE))
        .as("the vectors are stale: run this test with -Dsluice.write=true")
        .isEqualTo(text);
  }

  private ObjectNode smallDomain() {
    LoggedRun run = new LoggedRun("small.1", spec(3, 1, GROWING, 42, 0.3, 0.3, 0.4));
    run.grant(3).grant(7).sumUp().grant(12);
    return of(
        "a domain of 5 blocks is read 90 times", run, Map.of("d1", sizes(5), "d2", sizes(200)));
  }

  private ObjectNode byHand() {
    LoggedRun run = new LoggedRun("hand.1", spec(4, 2, GROWING, -7, 0.4, 0.3, 0.2, 0.1));
    run.grant(5).reweigh(0.1, 0.2, 0.3, 0.4).grant(4).sumUp().reweigh(0, 1, 0, 1).grant(3);
    return of("two lanes, weights are set by hand", run, Map.of("d1", sizes(70, 3)));
  }

  private ObjectNode rewound() {
    LoggedRun run = new LoggedRun("back.1", spec(3, 3, SAME, 1L << 40, 0.2, 0.5, 0.3));
    run.grant(6).grant(9).rewind(4, 11).grant(2).sumUp().grant(6).rewind(9, 9).grant(5);
    return of(
        "three lanes, rewinds with and without a skip",
        run,
        Map.of("d0", sizes(9, 10, 11), "d1", sizes(64, 65, 130)));
  }

  private ObjectNode forked() {
    LoggedRun origin = new LoggedRun("trunk.1", spec(2, 1, SAME, 3, 0.5, 0.5));
    origin.grant(10).rewind(8, 10).grant(4);
    RunSpec spec = spec(2, 1, GROWING, 99, 0.5, 0.5);
    LoggedRun run = new LoggedRun("fork.1", spec, origin.origin(10));
    run.grant(3).reweigh(0.9, 0.1).grant(3).sumUp().grant(2);
    return of("a fork with another seed and larger batches", run, Map.of("d1", sizes(33)));
  }

  private ObjectNode changedDomains() {
    LoggedRun run = new LoggedRun("change.1", spec(3, 2, SAME, 11, 0.3, 0.3, 0.4));
    run.grant(4).add("d3", 0.5).grant(4).remove("d0").sumUp().grant(5);
    return of(
        "a domain is added, another removed", run, Map.of("d1", sizes(7, 8), "d3", sizes(20, 1)));
  }

  private static RunSpec spec(
      int domains, int lanes, List<BatchSize> sizes, long seed, double... shares) {
    return RunSpec.newBuilder(DrawnRun.spec("vectors", domains, lanes, sizes, seed))
        .setInitialWeights(Arrays.stream(Weights.ofShares(shares).parts()).boxed().toList())
        .build();
  }

  private static long[] sizes(long... blocks) {
    return blocks;
  }

  private ObjectNode of(String name, LoggedRun run, Map<String, long[]> ended) {
    ObjectNode node = json.createObjectNode();
    node.put("case", name).put("runId", run.runId());
    ObjectNode blocks = node.putObject("endedBlocks");
    new TreeMap<>(ended).forEach((domain, sizes) -> longs(blocks.putArray(domain), sizes));
    ArrayNode log = node.putArray("log");
    Emission emission = new Emission(run.log().get(0).spec(), ended);
    Map<Long, List<Sequence>> batches = new TreeMap<>();
    for (Logged logged : run.log()) {
      ObjectNode record = log.addObject().put("offset", logged.offset());
      record.put("value", HexFormat.of().formatHex(logged.value()));
      for (Sequence each : emission.apply(logged)) {
        if (run.owner(each.batch()) == each.timeline()) {
          batches.computeIfAbsent(each.batch(), batch -> new ArrayList<>()).add(each);
        }
      }
    }
    ArrayNode expected = node.putArray("batches");
    batches.values().forEach(batch -> add(expected.addObject(), batch, run.spec()));
    return node;
  }

  private static void longs(ArrayNode node, long[] values) {
    Arrays.stream(values).forEach(node::add);
  }

  private void add(ObjectNode node, List<Sequence> batch, RunSpec spec) {
    batch.sort(Comparator.comparingLong(Sequence::index));
    Sequence first = batch.get(0);
    node.put("batch", first.batch()).put("timeline", first.timeline());
    node.put("firstIndex", first.firstIndex()).put("size", first.size());
    node.put("weightsVersion", first.version());
    assertThat(batch).hasSize(first.size());
    longs(node.putArray("domains"), batch.stream().mapToLong(Sequence::domain).toArray());
    longs(node.putArray("ordinals"), batch.stream().mapToLong(Sequence::ordinal).toArray());
    longs(node.putArray("blocks"), batch.stream().mapToLong(Sequence::block).toArray());
    long[] hashes = batch.stream().mapToLong(each -> hash(each, spec)).toArray();
    ArrayNode worlds = node.putArray("digests");
    for (int world : WORLDS) {
      ArrayNode ranks = worlds.addArray();
      int rows = hashes.length / world;
      for (int rank = 0; rank < world; rank++) {
        long[] part = Arrays.copyOfRange(hashes, rank * rows, (rank + 1) * rows);
        ranks.add(
            HexFormat.of().toHexDigits(BatchDigest.of(first.index() + (long) rank * rows, part)));
      }
    }
  }

  /** In place of a row's: what stands for a block in a stream's chain. */
  private static long hash(Sequence of, RunSpec spec) {
    long domain = ChainHash.domain(spec.getFingerprint(), Emission.name(of.domain()));
    return ChainHash.mix(domain + ((long) of.lane() << 48) + of.block());
  }
}
