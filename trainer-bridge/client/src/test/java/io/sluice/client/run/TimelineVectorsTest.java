package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.RewoundException;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where batches lie and what is resumed, by the examples of docs/protocol.md. */
final class TimelineVectorsTest {
  private static final List<Long> NONE = List.of(0L, 0L, 0L);

  static List<JsonNode> timelines() throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/timelines.json");
    return StreamSupport.stream(new ObjectMapper().readTree(file.toFile()).spliterator(), false)
        .toList();
  }

  private static RunStarted started(RunSpec spec, @Nullable RunOrigin origin) {
    return new RunStarted(spec, 1, "", NONE, origin, null);
  }

  private static RunSpec spec(List<BatchSize> sizes) {
    return RunSpec.newBuilder(TestingStream.spec(2, new int[] {1})).setBatchSizes(sizes).build();
  }

  private static RunSnapshot snapshot(long batch, long nextSequence) {
    return RunSnapshot.newBuilder()
        .setBatch(batch)
        .setNextSequence(nextSequence)
        .setWeightsVersion(1)
        .setRound(0)
        .setBaseRound(0)
        .setWeights(List.of(1L << 39, 1L << 38, 1L << 38))
        .setPinned(false)
        .setPolicyState(ByteBuffer.allocate(0))
        .setPlanError(NONE)
        .setOrdinals(NONE)
        .setMasked(List.of())
        .build();
  }

  @ParameterizedTest
  @MethodSource
  void timelines(JsonNode vector) {
    RunTimeline run = run(vector);
    for (JsonNode batch : vector.get("batches")) {
      long number = batch.get("batch").longValue();
      assertThat(run.timelines().owner(number)).isEqualTo(batch.get("timeline").intValue());
      assertThat(run.schedule().firstIndex(number)).isEqualTo(batch.get("firstIndex").longValue());
    }
    for (JsonNode end : vector.get("ends")) {
      assertThat(run.timelines().end(end.get("timeline").intValue()))
          .isEqualTo(end.get("lastBatch").asLong(Long.MAX_VALUE));
    }
    String runId = vector.get("runId").textValue();
    for (JsonNode state : vector.get("states")) {
      assertResumes(run, runId, state);
    }
  }

  private static RunTimeline run(JsonNode vector) {
    JsonNode from = vector.get("origin");
    RunOrigin origin =
        from.isNull()
            ? null
            : new RunOrigin(
                from.get("runId").textValue(), from.get("timeline").intValue(), snapshot(from));
    RunTimeline run = RunTimeline.of("r-1", started(spec(sizes(vector)), origin));
    for (JsonNode revision : vector.get("revisions")) {
      RunRevised revised = new RunRevised("c", spec(sizes(revision)), snapshot(revision), 0L);
      run = run.revised(revision.get("timeline").intValue(), revised);
    }
    return run;
  }

  private static RunSnapshot snapshot(JsonNode at) {
    return snapshot(at.get("batch").longValue(), at.get("nextSequence").longValue());
  }

  private static List<BatchSize> sizes(JsonNode of) {
    List<BatchSize> sizes = new ArrayList<>();
    of.get("batchSizes")
        .forEach(
            size ->
                sizes.add(
                    new BatchSize(
                        size.get("fromBatch").longValue(), size.get("sequences").intValue())));
    return sizes;
  }

  private static void assertResumes(RunTimeline run, String runId, JsonNode given) {
    String outcome;
    try {
      outcome = "resumes " + run.resume(runId, state(given.get("runId").textValue(), given));
    } catch (RewoundException e) {
      outcome = "rewound to " + e.batch();
    } catch (InvalidStateException e) {
      outcome = "refused";
    }
    String expected = "refused";
    if (given.has("resumes")) {
      expected = "resumes " + state(runId, given.get("resumes"));
    } else if (given.has("rewoundTo")) {
      expected = "rewound to " + given.get("rewoundTo").longValue();
    }
    assertThat(outcome).as(given.toString()).isEqualTo(expected);
  }

  private static StreamState state(String runId, JsonNode of) {
    return new StreamState(
        runId,
        of.get("timeline").intValue(),
        of.get("batch").longValue(),
        of.get("firstIndex").longValue());
  }
}
