package io.sluice.cli.contract;

import io.sluice.cli.contract.TestingLoader.Batch;
import io.sluice.cli.contract.TestingLoader.Failure;
import io.sluice.cli.contract.TestingLoader.Opening;
import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.time.Duration;
import java.util.function.Supplier;

/** The client of this project for Java. */
record JavaClient(KafkaAccess kafka) implements TestingClient {
  @Override
  public TestingLoader open(String run, Opening opening) {
    return tried(
        () -> {
          RunInfo info = RunDirectory.find(kafka, run, Duration.ZERO);
          StreamOptions options =
              StreamOptions.defaults()
                  .withRank(
                      TrainerRank.of(opening.rank(), opening.worldSize())
                          .withReplica(opening.replica()))
                  .withBufferBytes(opening.bufferBytes());
          options = opening.attaches() ? options : options.observing();
          return new JavaLoader(Loader.open(kafka, info, options));
        });
  }

  @Override
  public void close() {}

  private static <T> T tried(Supplier<T> action) {
    try {
      return action.get();
    } catch (RuntimeException e) {
      throw new Failure(
          e.getClass().getSimpleName().replaceFirst("Exception$", ""),
          String.valueOf(e.getMessage()));
    }
  }

  private static final class JavaLoader implements TestingLoader {
    private final Loader stream;
    private int trained;

    JavaLoader(Loader stream) {
      this.stream = stream;
    }

    @Override
    public Batch next() {
      return tried(
          () -> {
            GlobalBatch batch = stream.next(Patience.MINUTE);
            trained =
                batch.sequences().stream().mapToInt(row -> row.block().getTrainedTokens()).sum();
            return new Batch(
                batch.batch(),
                batch.timeline(),
                batch.sequences().stream().map(JavaLoader::row).toList());
          });
    }

    @Override
    public int trained() {
      return trained;
    }

    private static String row(Sequence row) {
      return row.index() + " " + row.domain() + " " + Tokens.of(row.block())[0];
    }

    @Override
    public StreamState state() {
      return stream.state();
    }

    @Override
    public void seek(StreamState state) {
      tried(
          () -> {
            stream.seek(state);
            return state;
          });
    }

    @Override
    public void seekToBatch(long batch) {
      tried(
          () -> {
            stream.seekToBatch(batch);
            return batch;
          });
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
