package io.sluice.cli.loop;

import io.sluice.jobs.mix.source.MixtureSource;
import io.sluice.jobs.mix.source.MixtureSourceSettings;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.external.source.TestingSourceSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A control log and block topics of one test case, under a prefix of their own; a run a split. */
final class WrittenRuns implements DataStreamSourceExternalContext<String> {
  private static final int BATCHES = 5;

  private final KafkaAccess kafka;
  private final List<WrittenRun> runs = new ArrayList<>();

  /**
   * @param prefix of the topics, which no other test case has
   */
  WrittenRuns(String bootstrapServers, String prefix) {
    kafka = new KafkaAccess(bootstrapServers, new Topics(prefix), Map.of());
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      admin.createTopics(List.of(new NewTopic(kafka.topics().control(), 1, (short) 1))).all().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot create the control topic", e);
    }
  }

  @Override
  public Source<String, ?, ?> createSource(TestingSourceSettings settings) {
    MixtureSourceSettings defaults = MixtureSourceSettings.defaults();
    return new TextSource(
        isBounded(settings)
            ? MixtureSource.bounded(kafka, defaults)
            : MixtureSource.of(kafka, defaults));
  }

  private static boolean isBounded(TestingSourceSettings settings) {
    return settings.getBoundedness() == Boundedness.BOUNDED;
  }

  @Override
  public ExternalSystemSplitDataWriter<String> createSourceSplitDataWriter(
      TestingSourceSettings settings) {
    WrittenRun run = new WrittenRun(kafka, "run" + runs.size(), isBounded(settings));
    runs.add(run);
    return run;
  }

  @Override
  public List<String> generateTestData(TestingSourceSettings settings, int split, long seed) {
    return IntStream.range(0, BATCHES * WrittenRun.BATCH)
        .mapToObj(n -> "block " + n + " of split " + split + ", seed " + seed)
        .toList();
  }

  @Override
  public TypeInformation<String> getProducedType() {
    return Types.STRING;
  }

  @Override
  public List<URL> getConnectorJarPaths() {
    return List.of();
  }

  @Override
  public void close() {
    runs.forEach(WrittenRun::close);
  }

  @Override
  public String toString() {
    return "runs written to a broker";
  }
}
