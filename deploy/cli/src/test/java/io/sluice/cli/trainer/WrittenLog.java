package io.sluice.cli.trainer;

import io.sluice.client.run.RunInfo;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The control log of a run of one domain that no job decides about. */
final class WrittenLog {
  private final KafkaAccess access;
  private final RunInfo run;
  private int timeline;
  private long serial;
  private long offset = -1;
  private long granted;

  /** A log whose first entry starts the run. */
  WrittenLog(KafkaAccess access, RunInfo run, @Nullable RunOrigin origin) {
    this.access = access;
    this.run = run;
    this.granted = origin == null ? 0 : origin.getSnapshot().getBatch();
    append("", new RunStarted(run.spec(), MixturePlan.VERSION, "", List.of(0L), origin, null));
  }

  /** What a run continues that is forked from this one after a batch. */
  RunOrigin origin(long batch, long nextSequence) {
    return new RunOrigin(run.runId(), timeline, snapshot(batch, nextSequence));
  }

  /** Grants the batches up to this one. */
  void grant(long to) {
    int size = run.spec().getBatchSizes().get(0).getSequences();
    List<Integer> sizes = Collections.nCopies((int) (to - granted), size);
    MixtureGrant grant =
        MixtureGrant.newBuilder()
            .setAfter(granted)
            .setTo(to)
            .setFirstSequence(granted * size)
            .setWeightsVersion(1)
            .setBatchSizes(sizes)
            .setCounts(sizes)
            .setEffectiveWeights(List.of(1L << 40))
            .build();
    append("", grant);
    granted = to;
  }

  /** Rewinds the run to a batch; it goes on in the next timeline. */
  void rewind(long batch, long nextSequence) {
    timeline++;
    append("by hand", new RunRevised("c", run.spec(), snapshot(batch, nextSequence), batch));
    granted = batch;
  }

  void state(String state, String why) {
    append(why, new RunStateChanged(state, "", false));
  }

  private static RunSnapshot snapshot(long batch, long nextSequence) {
    return RunSnapshot.newBuilder()
        .setBatch(batch)
        .setNextSequence(nextSequence)
        .setWeightsVersion(1)
        .setRound(0)
        .setBaseRound(0)
        .setWeights(List.of(1L << 40))
        .setPinned(false)
        .setPolicyState(ByteBuffer.allocate(0))
        .setPlanError(List.of(0L))
        .setOrdinals(List.of(nextSequence))
        .setMasked(List.of())
        .build();
  }

  private void append(String why, Object body) {
    ControlRecord entry =
        new ControlRecord(run.runId(), timeline, serial++, offset, "test", 0L, why, body, null);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      String topic = access.topics().control(run.runId());
      offset = producer.send(new ProducerRecord<>(topic, WireCodec.encode(entry))).get().offset();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot write to the control log", e);
    }
  }
}
