package io.sluice.cli.doctor;

import io.sluice.cli.storage.Deployment;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** The brokers that are asked, by one client, which is made when it is needed first. */
final class Brokers implements AutoCloseable {
  private final KafkaAccess access;
  private final String millis;
  private @Nullable Admin admin;
  private volatile @Nullable Deployment deployment;

  /**
   * Asks nobody yet.
   *
   * @param limit how long an answer may take
   */
  Brokers(KafkaAccess access, Duration limit) {
    this.access = access;
    this.millis = Long.toString(limit.toMillis());
  }

  KafkaAccess access() {
    return access;
  }

  Topics topics() {
    return access.topics();
  }

  synchronized Admin admin() {
    Admin made = admin;
    if (made == null) {
      made =
          Admin.create(
              access.with(Map.of("request.timeout.ms", millis, "default.api.timeout.ms", millis)));
      admin = made;
    }
    return made;
  }

  /** What there is of the deployment, as it was when that was asked first. */
  Deployment deployment() throws ExecutionException, InterruptedException {
    Deployment known = deployment;
    if (known == null) {
      known = Deployment.read(access, names());
      deployment = known;
    }
    return known;
  }

  /** Names of the topics under the prefix. */
  SortedSet<String> names() throws ExecutionException, InterruptedException {
    SortedSet<String> names = new TreeSet<>(admin().listTopics().names().get());
    names.removeIf(name -> !topics().mayBeOf(name));
    return names;
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
