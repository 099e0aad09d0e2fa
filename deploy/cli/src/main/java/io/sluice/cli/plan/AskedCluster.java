package io.sluice.cli.plan;

import io.sluice.cli.plan.need.PlannedRun;
import io.sluice.cli.storage.Deployment;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.history.RunStart;
import io.sluice.control.purge.Purges;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Brokers that are asked, and not changed. */
final class AskedCluster implements Cluster, AutoCloseable {
  private static final String MILLIS = Long.toString(Duration.ofSeconds(15).toMillis());

  private final KafkaAccess access;
  private final Admin admin;
  private final int brokers;
  private final Deployment deployment;

  /**
   * Asks what there is.
   *
   * @throws KafkaException if the brokers refuse
   */
  AskedCluster(KafkaAccess access) {
    this.access = access;
    this.admin =
        Admin.create(
            access.with(Map.of("request.timeout.ms", MILLIS, "default.api.timeout.ms", MILLIS)));
    try {
      this.brokers = admin.describeCluster().nodes().get().size();
      this.deployment = Deployment.read(access, admin.listTopics().names().get());
    } catch (ExecutionException e) {
      close();
      throw failure(e);
    } catch (InterruptedException e) {
      close();
      throw new InterruptException(e);
    }
  }

  @Override
  public int brokers() {
    return brokers;
  }

  @Override
  public List<DatasetSpec> datasets() {
    return deployment.datasets();
  }

  @Override
  public boolean wasDeleted(String dataset) {
    return deployment.names().contains(access.topics().purges())
        && new Purges(access).hasLeft(dataset);
  }

  @Override
  public Optional<RunStart> run(String name) {
    return deployment.keptRuns().stream()
        .filter(entry -> entry.name().equals(name))
        .flatMap(entry -> entry.start().stream())
        .reduce((older, newer) -> newer);
  }

  @Override
  public Map<String, Supply> supply(DatasetSpec dataset) {
    return deployment.names().contains(access.topics().supply(dataset.getName()))
        ? PreparedDomains.read(access, dataset.getName())
        : Map.of();
  }

  @Override
  public LossHistory losses(String run) {
    return RunLosses.ofEnded(access, run);
  }

  @Override
  public Optional<TopicInspection.Report> inspect(
      List<DatasetSpec> datasets, List<RefineSpec> refineries, List<PlannedRun> runs) {
    TopicInspection inspection = new TopicInspection(admin, access.topics());
    datasets.forEach(inspection::add);
    refineries.forEach(inspection::add);
    for (PlannedRun run : runs) {
      inspection.add(run.spec(), run.id(), run.start().map(RunStart::topic).orElse(""));
    }
    try {
      return Optional.of(inspection.report());
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private static KafkaException failure(ExecutionException e) {
    return e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
