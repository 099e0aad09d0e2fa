package io.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.doctor.MixJobCheck.Unread;
import io.sluice.cli.doctor.TransactionsCheck.Open;
import io.sluice.control.reach.Contact.Answered;
import io.sluice.control.reach.Contact.Connected;
import io.sluice.control.reach.Contact.Failed;
import io.sluice.control.reach.Contact.Versions;
import io.sluice.control.topics.TopicDifference;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;

/** What each check says of what it was told; nobody is asked. */
class ChecksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Brokers BROKERS =
      new Brokers(KafkaAccess.local("a:1,b:2"), Duration.ofSeconds(1));

  @Test
  void aDatasetOfWhichNothingIsPreparedHasNoJob() {
    PreparingCheck check =
        new PreparingCheck(BROKERS, InstantSource.fixed(NOW), Duration.ofSeconds(1));
    assertThat(verdicts(check.of(0, Map.of(), NOW))).containsExactly(Verdict.SKIPPED);
    assertThat(check.of(2, Map.of("new", NOW.minusSeconds(30)), NOW))
        .containsExactly(Finding.ok("PrepareJob", "documents of 2 datasets are prepared"));
    assertThat(check.of(2, Map.of("small", NOW.minus(Duration.ofMinutes(10))), NOW))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.verdict()).isEqualTo(Verdict.FAILURE);
              assertThat(finding.found())
                  .isEqualTo(
                      "nothing of dataset small is prepared, whose documents have been there for 10"
                          + " min");
              assertThat(finding.help()).contains("'prepare --dataset small'");
            });
  }

  @Test
  void whoeverCanBeReachedIsEnoughToStartFrom() {
    ReachCheck check = new ReachCheck(BROKERS);
    assertThat(check.given(List.of(new Connected("a:1"), new Failed("b:2", "refused"))))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
              assertThat(finding.found()).isEqualTo("b:2: refused");
            });
    assertThat(verdicts(check.given(List.of(new Failed("a:1", "x"), new Failed("b:2", "y")))))
        .containsExactly(Verdict.FAILURE, Verdict.FAILURE);
    assertThat(check.given(List.of(new Connected("a:1")))).isEmpty();
  }

  @Test
  void anAddressThatBrokersGiveAndNobodyReachesIsNamed() {
    ReachCheck check = new ReachCheck(BROKERS);
    List<Node> nodes = List.of(new Node(1, "kafka", 9092), new Node(2, "::1", 9092));
    assertThat(
            check.advertised(
                nodes,
                List.of(new Failed("kafka:9092", "unknown"), new Failed("[::1]:9092", "refused"))))
        .extracting(Finding::found)
        .containsExactly(
            "broker 1 says that it is at kafka:9092: unknown",
            "broker 2 says that it is at [::1]:9092: refused");
    assertThat(
            check.advertised(
                nodes, List.of(new Connected("kafka:9092"), new Connected("[::1]:9092"))))
        .isEmpty();
  }

  @Test
  void aRequestThatABrokerDoesNotTakeIsNamed() {
    VersionsCheck check = new VersionsCheck(BROKERS);
    Map<Short, Versions> all = new HashMap<>();
    for (short key = 0; key < 100; key++) {
      all.put(key, new Versions(0, 9));
    }
    assertThat(check.requests(new Answered("a:1", all))).isEmpty();
    all.remove((short) 66);
    all.put((short) 1, new Versions(0, 3));
    assertThat(check.requests(new Answered("a:1", all)))
        .extracting(Finding::found)
        .satisfiesExactly(
            found ->
                assertThat(found)
                    .startsWith("a:1 takes versions up to 3 of Fetch, and 4 is the oldest"),
            found -> assertThat(found).startsWith("a:1 takes no version of ListTransactions"));
  }

  @Test
  void aTransactionVersionThatIsTooLowIsAFailure() {
    FeatureCheck check = new FeatureCheck(BROKERS);
    assertThat(check.of(2).verdict()).isEqualTo(Verdict.OK);
    assertThat(check.of(0).verdict()).isEqualTo(Verdict.FAILURE);
    assertThat(check.of(1).found()).contains("(KIP-890): 1.", "kafka-features.sh");
  }

  @Test
  void clocksThatAreApartAreToldByHowMuch() {
    ClockCheck check = new ClockCheck(BROKERS, InstantSource.fixed(NOW));
    long now = NOW.toEpochMilli();
    assertThat(check.of(now, now + 500, now + 200).verdict()).isEqualTo(Verdict.OK);
    assertThat(check.of(now, now + 500, now + 10_499).verdict()).isEqualTo(Verdict.OK);
    Finding behind = check.of(now, now, now + 90_000);
    assertThat(behind.verdict()).isEqualTo(Verdict.WARNING);
    assertThat(behind.found())
        .isEqualTo(
            "this machine is 1 min 30 s behind the brokers' controller: ages are wrong by that");
    assertThat(check.of(now, now, now - 90_000).found()).contains("1 min 30 s ahead of");
    Finding future = check.of(now, now, now - 3_600_000);
    assertThat(future.verdict()).isEqualTo(Verdict.FAILURE);
    assertThat(future.found())
        .endsWith("ahead of the brokers' controller, and brokers refuse records from the future");
    assertThat(check.of(now, now, now + 3_600_000).verdict()).isEqualTo(Verdict.WARNING);
  }

  @Test
  void whatATopicHasOtherwiseIsAFailureAndWhatItHasLessOfAWarning() {
    TopicsCheck check = new TopicsCheck(BROKERS);
    List<Finding> findings =
        check.of(
            new TopicInspection.Report(
                9,
                List.of("sluice.status", "sluice.stream.r", "sluice.supply.d"),
                List.of(
                    new TopicDifference("t", "retention.ms", "-1", "7"),
                    new TopicDifference("t", "partitions", "2", "1")),
                List.of(new TopicDifference("t", "replicas", "3", "1"))));
    assertThat(findings)
        .extracting(Finding::line)
        .containsExactly(
            "failure  topics: sluice.status is missing; the service makes it when it starts, as"
                + " 'sluice up' does",
            "failure  topics: sluice.stream.r is missing; its run cannot go on: 'sluice run"
                + " delete', and apply another",
            "failure  topics: sluice.supply.d is missing; 'sluice dataset apply' or 'sluice refine"
                + " apply' with the same file makes it anew, empty",
            "failure  topics: topic t must have retention.ms = -1: it exists with 7;"
                + " 'kafka-configs.sh --bootstrap-server a:1,b:2 --alter --topic t --add-config"
                + " retention.ms=-1'",
            "failure  topics: topic t must have partitions = 2: it exists with 1; the place of what"
                + " is in it depends on their number: delete what owns the topic, and apply it"
                + " anew",
            "warning  topics: topic t should have replicas = 3: it exists with 1;"
                + " 'kafka-reassign-partitions.sh' gives it more");
    assertThat(check.of(new TopicInspection.Report(9, List.of(), List.of(), List.of())))
        .containsExactly(Finding.ok("topics", "9 are as they must be"));
  }

  @Test
  void operationsThatAreNotAllowedAreNamed() {
    RightsCheck check = new RightsCheck(BROKERS);
    EnumSet<AclOperation> all = EnumSet.allOf(AclOperation.class);
    assertThat(check.ofTopic("t", all)).isEmpty();
    assertThat(check.ofTopic("t", null)).as("brokers that do not say").isEmpty();
    all.removeAll(Set.of(AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER_CONFIGS));
    assertThat(check.ofTopic("t", all))
        .satisfiesExactly(
            finding -> {
              assertThat(finding.verdict()).isEqualTo(Verdict.FAILURE);
              assertThat(finding.found()).isEqualTo("this user may not DELETE, WRITE topic t");
              assertThat(finding.help()).contains("begin with 'sluice.'");
            },
            finding -> {
              assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
              assertThat(finding.found()).startsWith("this user may not ALTER_CONFIGS topic t");
            });
  }

  @Test
  void aTransactionThatOutlivesItsTimeHangs() {
    TransactionsCheck check = new TransactionsCheck(BROKERS, InstantSource.fixed(NOW));
    Function<Duration, Open> open =
        age ->
            new Open("sluice.prepare-d.-0-1", NOW.minus(age), Duration.ofMinutes(15), List.of("t"));
    assertThat(verdicts(check.of(List.of(), NOW))).containsExactly(Verdict.OK);
    assertThat(verdicts(check.of(List.of(open.apply(Duration.ofMinutes(5))), NOW)))
        .containsExactly(Verdict.OK);
    assertThat(check.of(List.of(open.apply(Duration.ofMinutes(16))), NOW))
        .singleElement()
        .satisfies(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.WARNING));
    assertThat(check.of(List.of(open.apply(Duration.ofMinutes(17))), NOW))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.verdict()).isEqualTo(Verdict.FAILURE);
              assertThat(finding.found())
                  .isEqualTo(
                      "sluice.prepare-d.-0-1 is open for 17 min in [t], longer than its 15 min: it"
                          + " hangs");
            });
  }

  @Test
  void aJobThatIsSilentIsDeadOnlyIfItDoesNotReadWhatItIsTold() {
    MixJobCheck check = new MixJobCheck(BROKERS, InstantSource.fixed(NOW), Duration.ofSeconds(1));
    RunStatus old = status(NOW.minus(Duration.ofHours(3)), "");
    Unread before = new Unread("sluice.runs", NOW.minus(Duration.ofHours(4)));
    Unread lately = new Unread("sluice.runs", NOW.minus(Duration.ofSeconds(30)));
    Unread since = new Unread("sluice.feedback.r", NOW.minus(Duration.ofMinutes(10)));
    assertThat(verdicts(check.of(List.of(), List.of(), NOW))).containsExactly(Verdict.SKIPPED);
    assertThat(check.of(List.of(old), List.of(), NOW))
        .containsExactly(
            Finding.ok(
                "MixJob",
                "it owes no answer; its last words, of run r, are 3 h old: granted"
                    + " to batch 20, trainers at batch 10"));
    assertThat(verdicts(check.of(List.of(old), List.of(before, lately), NOW)))
        .as("read, and not yet written down; just written")
        .containsExactly(Verdict.OK);
    assertThat(check.of(List.of(old), List.of(before, lately, since), NOW))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.verdict()).isEqualTo(Verdict.FAILURE);
              assertThat(finding.found())
                  .startsWith("it has not read what is in sluice.feedback.r for 10 min; its last");
            });
    assertThat(check.of(List.of(), List.of(since), NOW).get(0).found())
        .endsWith("it has said nothing of any run");
    assertThat(verdicts(check.of(List.of(status(NOW, "nonce")), List.of(since), NOW)))
        .as("another writer, and words that are newer than what is unread")
        .containsExactly(Verdict.WARNING);
  }

  @Test
  void whatIsWrongComesWithWhatHelps() {
    assertThatThrownBy(() -> Finding.failure("a", "b", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("help must be given with a failure");
    assertThat(Finding.ok("a", "b\u001b[2J").line()).isEqualTo("ok       a: b?[2J");
  }

  private static RunStatus status(Instant time, String otherWriter) {
    return RunStatus.newBuilder()
        .setRunId("r.1")
        .setRun("r")
        .setPhase("running")
        .setTimeline(0)
        .setGranted(20)
        .setProgress(10)
        .setWeightsVersion(1)
        .setWaiting("")
        .setOtherWriter(otherWriter)
        .setTimeMillis(time.toEpochMilli())
        .build();
  }

  private static List<Verdict> verdicts(List<Finding> findings) {
    return findings.stream().map(Finding::verdict).toList();
  }
}
