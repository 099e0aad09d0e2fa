package io.sluice.client.block;

import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to see what one block of 4,096 labels holds. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class BlockReaderBenchmark {
  private static final int LABELS = 4_096;

  @Param({"1", "16"})
  private int documents;

  private BlockReader reader = new BlockReader(new TestingStream(1, 4).run());
  private ByteBuffer encoded = ByteBuffer.allocate(0);

  /** A block that holds parts of so many documents, all but the last of 200 tokens. */
  @Setup
  public void prepare() {
    RunSpec spec = RunSpec.newBuilder(new TestingStream(1, 4).run().spec()).build();
    spec.setSequenceLength(LABELS);
    reader = new BlockReader(new RunInfo("r-1", spec));
    Integer[] lengths = Collections.nCopies(documents, 200).toArray(Integer[]::new);
    lengths[documents - 1] = LABELS + 1 - 200 * (documents - 1);
    TokenBlock block = TestingStream.block("java", 123_456);
    block.setTokens(ByteBuffer.allocate(2 * (LABELS + 1)));
    block.setDocumentLengths(List.of(lengths));
    block.setDocumentIds(Collections.nCopies(documents, "github/project/src/Main.java#12"));
    block.setTrainedTokens(LABELS);
    block.setProducedAtMillis(1_767_225_600_000L);
    encoded = ByteBuffer.wrap(WireCodec.encode(block));
  }

  /** Identity, tokens in place, documents and mask. */
  @Benchmark
  public Object inspect() {
    return reader.inspect(encoded);
  }
}
