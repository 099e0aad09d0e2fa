package io.sluice.lab.bench.fan;

import io.sluice.control.runs.NewRun;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.lab.bench.measure.MadeUpBlock;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Bytes that records take in a topic, each encoded as it is on the wire.
 *
 * @param block a sequence in a block topic
 * @param streamed the same in a stream
 * @param logPerBatch what the control log grants with a batch of a run whose weights stay
 * @param progress what a rank says of a batch
 * @param claim what a rank says when it begins
 * @param segment what is said of a segment
 */
record RecordSizes(
    double block,
    double streamed,
    double logPerBatch,
    double progress,
    double claim,
    double segment) {
  /** What Kafka adds to a key and a value of a record among others, and to a batch of them. */
  private static final int FRAME = 9;

  private static final int BATCH_FRAME = 61;

  /** A header's key and value, and the lengths of both. */
  private static final int HEADER = StreamHeader.KEY.length() + StreamHeader.LENGTH + 2;

  private static final int BATCHES = 500;
  private static final String RUN = "fan";
  private static final String RUN_ID = RUN + ".01234567";
  private static final long NOW = 1_800_000_000_000L;

  /** Those of a run of this shape. */
  static RecordSizes of(FanShape shape) {
    List<String> names =
        IntStream.range(0, shape.domains()).mapToObj(i -> "d%06d".formatted(i)).toList();
    DatasetSpec dataset =
        DatasetSpecs.resolve(
            new DatasetSettings(RUN, "r50k_base", shape.length(), 1, 7, 0, names, 1));
    int block =
        FRAME
            + size(
                MadeUpBlock.of(
                    dataset.getFingerprint(),
                    names.get(0),
                    0,
                    1 << 20,
                    MadeUpBlock.tokens(shape.length() + 1, new Random(7))));
    return new RecordSizes(
        block,
        block + HEADER,
        logPerBatch(dataset, shape.batch()),
        alone(progress(shape.gpus())),
        alone(claim(shape.gpus())),
        alone(segment(names.get(0))));
  }

  /** Grants as the run's controller writes them while its trainer reports every batch. */
  private static double logPerBatch(DatasetSpec dataset, int batch) {
    RunSpec spec = RunSpecs.complete(NewRun.of(RUN, dataset, batch).setBatches(1 << 20).build());
    AtomicLong bytes = new AtomicLong();
    AtomicLong batches = new AtomicLong();
    DrivenRun run =
        new DrivenRun(
            RUN_ID,
            DrivenRun.supply(spec, 1L << 40),
            entry -> {
              if (entry.record().getBody() instanceof MixtureGrant grant) {
                bytes.addAndGet(framed(entry.value().length));
                batches.addAndGet(grant.getTo() - grant.getAfter());
              }
            },
            NOW);
    run.start(spec, "");
    for (long each = 1; each <= BATCHES; each++) {
      run.progress(each);
    }
    return (double) bytes.get() / batches.get();
  }

  private static TrainerProgress progress(int gpus) {
    return TrainerProgress.newBuilder()
        .setRunId(RUN_ID)
        .setTimeline(0)
        .setBatch(1 << 20)
        .setTrainerStep(1 << 20)
        .setWorldSize(gpus)
        .setRank(gpus / 2)
        .setTimeMillis(NOW)
        .setRead(new ReadBatches(1L << 20, List.of(Long.MIN_VALUE)))
        .build();
  }

  private static TrainerAttached claim(int gpus) {
    return TrainerAttached.newBuilder()
        .setRunId(RUN_ID)
        .setTimeline(0)
        .setBatch(0)
        .setWorldSize(gpus)
        .setRank(gpus / 2)
        .setHolder(new UUID(0, 0).toString())
        .setHost("gpu-node-0001")
        .setPid(1 << 20)
        .setMetrics(List.of("eval_loss"))
        .setTimeMillis(NOW)
        .build();
  }

  private static Segment segment(String domain) {
    String digest = "0".repeat(64);
    return Segment.newBuilder()
        .setDataset(RUN)
        .setFingerprint(Long.MIN_VALUE)
        .setDomain(domain)
        .setLane(0)
        .setFirst(1 << 20)
        .setRows(1 << 10)
        .setEnded(false)
        .setData(new StoredPart(RUN + "/" + digest + ".rows", 1L << 20, 1L << 20, digest))
        .setSide(new StoredPart(RUN + "/" + digest + ".side", 1L << 14, 1L << 14, digest))
        .setTimeMillis(NOW)
        .build();
  }

  /** Sent by itself, with the run's id as its key. */
  private static int alone(SpecificRecordBase message) {
    return framed(size(message));
  }

  private static int framed(int value) {
    return BATCH_FRAME + FRAME + RUN_ID.length() + value;
  }

  private static int size(SpecificRecordBase message) {
    return WireCodec.encode(message).length;
  }
}
