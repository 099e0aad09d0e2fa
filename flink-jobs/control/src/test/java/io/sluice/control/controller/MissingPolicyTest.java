package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose policy is on the class path at times, and at times is not. */
class MissingPolicyTest {
  private static final String MISSING =
      "policy 'elsewhere' is not on the class path of the job (--plugins DIR)";
  private static final RunSpec SPEC =
      spec().setPolicy("elsewhere").setPolicySettings(Map.of()).setBatches(40).build();

  @TempDir Path plugin;
  private final ClassLoader without = Thread.currentThread().getContextClassLoader();

  /** Starts with three quarters of the first domain, which its rounds give to the second. */
  public static final class Factory implements PolicyFactory {
    @Override
    public String name() {
      return "elsewhere";
    }

    @Override
    public Policy create(PolicySettings settings, List<String> domains) {
      return new Elsewhere();
    }
  }

  private static final class Elsewhere implements Policy {
    @Override
    public String name() {
      return "elsewhere";
    }

    @Override
    public List<String> metrics() {
      return List.of("eval_loss");
    }

    @Override
    public double[] startingShares(double[] shares) {
      return new double[] {3, 1};
    }

    @Override
    public byte[] initialState(double[] shares) {
      return new byte[] {1, 7};
    }

    @Override
    public Decision decide(byte[] state, Observation observation) {
      return new Decision(state, new double[] {1, 3}, new double[0]);
    }
  }

  @BeforeEach
  void putOnTheClassPath() throws IOException {
    Path services = Files.createDirectories(plugin.resolve("META-INF/services"));
    Files.writeString(services.resolve(PolicyFactory.class.getName()), Factory.class.getName());
    URL[] jars = {plugin.toUri().toURL()};
    Thread.currentThread().setContextClassLoader(new URLClassLoader(jars, without));
  }

  @AfterEach
  void takeFromTheClassPath() {
    Thread.currentThread().setContextClassLoader(without);
  }

  @Test
  void anEntryIsReadWithoutThePolicy() {
    TestingController controller = TestingController.started(SPEC);
    takeFromTheClassPath();
    ControlEntry.Started started =
        (ControlEntry.Started) ControlWire.read(controller.log.all().get(0), new byte[0]).body();
    assertThat(started.settings().policyName()).isEqualTo("elsewhere");
    assertThat(started.snapshot().decided()).isEqualTo(Weights.ofShares(3, 1));
    assertThat(started.snapshot().policyState()).containsExactly(1, 7);
  }

  @Test
  void theRunWaitsAndGoesOnWithItsFeedback() throws IOException {
    TestingController controller = TestingController.started(SPEC);
    assertThat(controller.status().getGranted()).isEqualTo(10);
    takeFromTheClassPath();
    controller.crash();
    controller.progress(progress(10));
    controller.feedback(feedback(10, 3, 4));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("running");
    assertThat(controller.status().getWaiting()).isEqualTo(MISSING);
    assertThat(controller.status().getRefusedFeedback()).isZero();
    assertThat(controller.status().getGranted()).isEqualTo(10);

    putOnTheClassPath();
    controller.crash();
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(20);
    assertThat(controller.log.grants().get(1).getDecision().getAttempt()).isEqualTo("attempt-10");
  }

  @Test
  void theRunObeysWithoutIt() {
    TestingController controller = TestingController.started(SPEC);
    takeFromTheClassPath();
    controller.restore(new TestingController.Checkpoint(new TestingRunStore(), -1));
    controller.settle();
    assertThat(controller.status().getWaiting()).isEqualTo(MISSING);
    controller.command(change("c1", "stopped"));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("stopped");
  }

  @Test
  void aCommandThatWasTakenWithItWaits() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(SPEC));
    takeFromTheClassPath();
    controller.crash();
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.status().getWaiting()).isEqualTo(MISSING);
  }

  @Test
  void aNewRunIsRefusedWithTheNamesThereAre() {
    takeFromTheClassPath();
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(SPEC));
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .startsWith("policy must be one of [")
        .endsWith("], or be in a jar of --plugins DIR: 'elsewhere'");
  }

  @Test
  void anEarlierEntryHasNoSnapshot() {
    TestingController controller = TestingController.started(SPEC);
    var record = controller.log.all().get(0);
    ((RunStarted) record.getBody()).setSnapshot(null);
    ControlEntry.Started with = (ControlEntry.Started) ControlWire.read(record, new byte[0]).body();
    assertThat(with.snapshot().decided()).isEqualTo(Weights.ofShares(3, 1));
    takeFromTheClassPath();
    ControlEntry.Started alone =
        (ControlEntry.Started) ControlWire.read(record, new byte[0]).body();
    assertThat(alone.snapshot().decided()).isEqualTo(Weights.uniform(2));
  }
}
