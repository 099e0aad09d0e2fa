package io.sluice.service.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.service.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFlinkIT {
  private static final String JOB = "count to 10^9";

  @TempDir Path directory;

  @Test
  void itsPageIsThereForThisMachineAndOnlyToLookAt() throws Exception {
    try (EmbeddedFlink flink = EmbeddedFlink.start(FlinkSettings.in(directory.resolve("state")))) {
      assertThat(InetAddress.getByName(flink.rest().getHost()).isLoopbackAddress()).isTrue();
      HttpResponse<String> page = get(flink.rest().resolve("/"));
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("<title>Apache Flink Web Dashboard</title>");
      assertThat(get(flink.rest().resolve("/jars")).statusCode()).isEqualTo(404);
      assertThat(get(flink.rest().resolve("/config")).body())
          .contains("\"web-submit\":false", "\"web-cancel\":false");
      int port = flink.rest().getPort();
      for (InetAddress other : addressesOfOthers()) {
        assertThatThrownBy(() -> new Socket(other, port).close()).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "it says who listens")
  void nothingOfItIsThereForOtherMachines() throws IOException {
    FlinkSettings settings = FlinkSettings.in(directory.resolve("state")).withTaskManagers(2, 1);
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      JobHandle job = flink.submit(JOB, counting(directory.resolve("starts")));
      awaitLines(directory.resolve("starts"), 1);
      assertThat(ListeningSockets.addresses())
          .isNotEmpty()
          .allMatch(InetAddress::isLoopbackAddress);
      job.cancel();
    }
  }

  private static HttpResponse<String> get(URI address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Those of this machine's addresses at which other machines find it. */
  private static List<InetAddress> addressesOfOthers() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .toList();
  }

  @Test
  void aJobGoesOnFromTheLatestRetainedCheckpoint() throws Exception {
    Path starts = directory.resolve("starts");
    FlinkSettings settings =
        FlinkSettings.in(directory.resolve("state")).withCheckpointInterval(Duration.ofMillis(50));
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      JobHandle job = flink.submit(JOB, counting(starts));
      job.checkpoint();
      job.cancel();
      assertThat(job.status()).isEqualTo(JobStatus.CANCELED);
    }
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      Optional<Path> checkpoint = flink.latestCheckpoint(JOB);
      assertThat(checkpoint).isPresent();
      JobHandle job = flink.submit(JOB, counting(starts), checkpoint);
      awaitLines(starts, 2);
      Path savepoint = job.stopWithSavepoint(directory.resolve("savepoints"));
      assertThat(savepoint.resolve("_metadata")).exists();
      assertThat(job.status()).isEqualTo(JobStatus.FINISHED);
    }
    assertThat(Files.readAllLines(starts).get(0)).isEqualTo("0");
    assertThat(Long.parseLong(Files.readAllLines(starts).get(1))).isPositive();
  }

  @Test
  void aJobSurvivesTheLossOfItsTaskManager() throws Exception {
    Path starts = directory.resolve("starts");
    FlinkSettings settings = FlinkSettings.in(directory.resolve("state")).withTaskManagers(1, 2);
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      JobHandle job = flink.submit(JOB, counting(starts));
      awaitLines(starts, 1);
      job.checkpoint();
      flink.terminateTaskManager(0);
      assertThat(flink.startTaskManager()).isEqualTo(1);
      awaitLines(starts, 2);
      job.awaitRunning(Patience.MINUTE);
      assertThat(job.failure()).isPresent();
      job.cancel();
    }
    assertThat(Long.parseLong(Files.readAllLines(starts).get(1))).isPositive();
  }

  @Test
  void whatAnEarlierSubmissionLeftIsRemovedOnceNothingNeedsIt() throws Exception {
    Path starts = directory.resolve("starts");
    Path checkpoints = directory.resolve("state/checkpoints/count_to_10_9");
    try (EmbeddedFlink flink = checkpointingOnlyWhenAsked()) {
      JobHandle first = flink.submit(JOB, counting(starts));
      awaitLines(starts, 1);
      first.checkpoint();
      first.cancel();
      JobHandle second = flink.submit(JOB, counting(starts), flink.latestCheckpoint(JOB));
      awaitLines(starts, 2);
      second.checkpoint();
      assertThat(Checkpoints.removeOlder(checkpoints, id(second))).isFalse();
      second.checkpoint();
      awaitRemoval(checkpoints, second);
      assertThat(checkpoints.resolve(id(first))).doesNotExist();
      flink.terminateTaskManager(0);
      flink.startTaskManager();
      awaitLines(starts, 3);
      second.cancel();
    }
    assertThat(Files.readAllLines(starts)).first().isEqualTo("0");
    assertThat(Files.readAllLines(starts).subList(1, 3)).doesNotContain("0");
  }

  @Test
  void whatCheckpointsStillReferToIsLeft() throws Exception {
    Path starts = directory.resolve("starts");
    Path checkpoints = directory.resolve("state/checkpoints/count_to_10_9");
    try (EmbeddedFlink flink = checkpointingOnlyWhenAsked()) {
      JobHandle first = flink.submit(JOB, counting(starts, 1 << 20));
      awaitLines(starts, 1);
      first.checkpoint();
      first.cancel();
      JobHandle second = flink.submit(JOB, counting(starts, 0), flink.latestCheckpoint(JOB));
      awaitLines(starts, 2);
      second.checkpoint();
      second.checkpoint();
      awaitRemoval(checkpoints, second);
      assertThat(checkpoints.resolve(id(first)).resolve("shared")).isNotEmptyDirectory();
      second.cancel();
      flink.submit(JOB, counting(starts, 0), flink.latestCheckpoint(JOB));
      awaitLines(starts, 3);
    }
    assertThat(Files.readAllLines(starts).subList(1, 3)).doesNotContain("0");
  }

  private EmbeddedFlink checkpointingOnlyWhenAsked() {
    return EmbeddedFlink.start(
        FlinkSettings.in(directory.resolve("state"))
            .withTaskManagers(1, 2)
            .withCheckpointInterval(Patience.MINUTE));
  }

  /** What Flink itself removes may vanish while it is looked at; then it is looked at again. */
  private static void awaitRemoval(Path checkpoints, JobHandle job) {
    Patience.await(
        Duration.ofMinutes(1), () -> Checkpoints.removeOlder(checkpoints, id(job)), done -> done);
  }

  private static String id(JobHandle job) {
    return job.jobId().toHexString();
  }

  /** Counts records in keyed state; each start appends the count that it found to the file. */
  private static Consumer<StreamExecutionEnvironment> counting(Path starts) {
    return counting(starts, 0);
  }

  /**
   * The same with more state.
   *
   * @param ballast bytes that are put into state once
   */
  private static Consumer<StreamExecutionEnvironment> counting(Path starts, int ballast) {
    return environment ->
        environment
            .fromSource(
                new DataGeneratorSource<>(
                    index -> index, 1_000_000_000L, RateLimiterStrategy.perSecond(500), Types.LONG),
                WatermarkStrategy.noWatermarks(),
                "numbers")
            .uid("numbers")
            .keyBy(number -> 0, Types.INT)
            .map(new Counter(starts.toString(), ballast))
            .uid("counter")
            .sinkTo(new DiscardingSink<>())
            .uid("sink");
  }

  private static void awaitLines(Path file, int count) throws IOException {
    Patience.await(Duration.ofMinutes(1), () -> lines(file), all -> all.size() >= count);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Counter extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;

    private final String starts;
    private final int ballast;
    private transient boolean started;
    private transient ValueState<Long> count;
    private transient ValueState<byte[]> unused;

    Counter(String starts, int ballast) {
      this.starts = starts;
      this.ballast = ballast;
    }

    @Override
    public void open(OpenContext context) {
      count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
      unused =
          getRuntimeContext()
              .getState(
                  new ValueStateDescriptor<>(
                      "unused", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    }

    @Override
    public Long map(Long number) throws IOException {
      Long stored = count.value();
      long before = stored == null ? 0 : stored;
      if (!started) {
        Files.writeString(
            Path.of(starts), before + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        started = true;
        if (ballast > 0) {
          byte[] random = new byte[ballast];
          new Random(1).nextBytes(random);
          unused.update(random);
        }
      }
      count.update(before + 1);
      return before;
    }
  }
}
