package io.sluice.service.seal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.store.TestingS3;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Committed blocks come to be objects of a bucket, whatever happens to the store. */
class BucketSealingIT {
  private static final String ORPHAN = "0f".repeat(32) + ".rows";

  @TempDir static Path directory;
  private static EmbeddedBroker broker;
  private static KafkaAccess access;
  private static TestingS3 s3;

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> events = new ArrayList<>();
  private DatasetSpec spec;
  private TestingBlocks blocks;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    access = KafkaAccess.local(broker.bootstrapServers());
    s3 = new TestingS3("sealed");
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
    }
  }

  @AfterAll
  static void stop() {
    s3.close();
    broker.close();
  }

  @BeforeEach
  void fill(TestInfo test) {
    s3.start();
    System.setProperty("aws.secretAccessKey", TestingS3.SECRET);
    String name = test.getTestMethod().orElseThrow().getName();
    spec =
        DatasetSpec.newBuilder(
                DatasetSpecs.resolve(
                    new DatasetSettings(name, "bytes", 11, 4, 7, 0, List.of("live"), 1)))
            .setStore("s3://sealed/team/a")
            .build();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
    }
    blocks = new TestingBlocks(access, spec);
    blocks.add("live", 0, 300);
  }

  @AfterEach
  void close() {
    blocks.close();
  }

  @Test
  void anObjectHasItsNameFromItsBytesAndWhatNobodyNamesGoesAfterADay() throws IOException {
    String folder = "team/a/" + spec.getName() + "/";
    s3.put("sealed", folder + ORPHAN, "killed before its record");
    s3.put("sealed", folder + "notes.txt", "mine");
    s3.put("sealed", "team/a/other/" + ORPHAN, "another dataset's");
    try (TestingSealers sealers = sealers(Duration.ZERO)) {
      sealers.apply(spec);
      sealers.await(this::allIsSealed);
      sealed().requireTrue();
      assertThat(s3.keys("sealed")).contains(folder + ORPHAN);
    }
    assertThat(events)
        .containsExactly("sealing dataset " + spec.getName() + " into s3://sealed/team/a");
    blocks.add("live", 0, 5);
    try (TestingSealers sealers = sealers(Duration.ofDays(2))) {
      sealers.apply(spec);
      sealers.await(this::allIsSealed);
    }
    sealed().requireTrue();
    assertThat(s3.keys("sealed"))
        .contains(folder + "owner", folder + "notes.txt", "team/a/other/" + ORPHAN)
        .doesNotContain(folder + ORPHAN)
        .hasSize(3 + sealed().lanes().objects().size());
  }

  @Test
  void aStoreThatIsAwayOrRefusesIsToldOfAndTriedAgain() throws IOException {
    try (TestingSealers sealers = sealers(Duration.ZERO)) {
      sealers.apply(spec);
      sealers.await(this::allIsSealed);
      s3.kill();
      blocks.add("live", 0, 20);
      sealers.await(() -> events.size() > 1);
      assertThat(events.get(1))
          .startsWith("dataset " + spec.getName() + " cannot be sealed: s3://sealed/team/a/")
          .contains("the store at " + s3.endpoint() + " does not answer since ")
          .doesNotContain("the same command");
      System.setProperty("aws.secretAccessKey", "not-the-secret");
      s3.start();
      sealers.await(() -> events.get(events.size() - 1).contains(" says 403 "));
      assertThat(events.get(events.size() - 1))
          .contains("the credentials must have s3:GetObject, s3:PutObject and s3:DeleteObject")
          .doesNotContain("not-the-secret");
      System.setProperty("aws.secretAccessKey", TestingS3.SECRET);
      sealers.await(this::allIsSealed);
      sealers.await(() -> events.get(events.size() - 1).endsWith(" is sealed again"));
      sealed().requireTrue();
    }
  }

  @Test
  void aFolderOfAnotherDeploymentIsLeftAlone() {
    String folder = "team/a/" + spec.getName() + "/";
    s3.put("sealed", folder + "owner", "Kafka cluster other, prefix sluice.");
    try (TestingSealers sealers = sealers(Duration.ZERO)) {
      sealers.apply(spec);
      sealers.await(() -> !events.isEmpty());
      assertThat(events.get(0))
          .contains(
              "s3://sealed/"
                  + folder.substring(0, folder.length() - 1)
                  + " is of another deployment, 'Kafka cluster other, prefix sluice.'; if that is"
                  + " no more, delete s3://sealed/"
                  + folder
                  + "owner");
      s3.remove("sealed", folder + "owner");
      sealers.await(this::allIsSealed);
      s3.remove("sealed", folder + "owner");
    }
    events.clear();
    try (TestingSealers sealers = sealers(Duration.ZERO)) {
      sealers.apply(spec);
      sealers.await(() -> !events.isEmpty());
      assertThat(events.get(0)).contains("does not have what was sealed into it");
    }
  }

  private TestingSealers sealers(Duration later) {
    Instant now = Instant.now().plus(later);
    return new TestingSealers(access, () -> now, nanos, events);
  }

  private SealedRows sealed() {
    return SealedRows.read(access, spec, object -> s3.get("sealed", "team/a/" + object));
  }

  private boolean allIsSealed() {
    return sealed().lanes().rows("live", 0) == blocks.next("live", 0);
  }
}
