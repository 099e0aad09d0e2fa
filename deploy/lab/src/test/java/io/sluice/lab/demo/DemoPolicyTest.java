package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DemoPolicyTest {
  private static final List<String> DOMAINS = List.of("code", "prose", "sums");

  /** Policies that a demo can be started with by nothing but their name. */
  static List<String> namesAlone() {
    List<String> names = new ArrayList<>(Policies.names());
    names.removeAll(List.of("recorded", "external", "doremi", "dga-distribution"));
    return names;
  }

  private static DemoSettings demo(String policy, Map<String, String> given, String... targets) {
    return demo(Path.of("."), policy, given, targets);
  }

  private static DemoSettings demo(
      Path directory, String policy, Map<String, String> given, String... targets) {
    return new DemoSettings(
        directory,
        directory.resolve("state"),
        0,
        Optional.of(directory.resolve("corpus")),
        policy,
        60,
        16,
        128,
        10,
        2,
        given,
        List.of(targets),
        1,
        42,
        Optional.empty());
  }

  private static Map<String, String> settings(DemoSettings demo) {
    return new DemoPolicy(demo, DOMAINS).settings();
  }

  @ParameterizedTest
  @MethodSource("namesAlone")
  void completesEveryPolicyThatItsTrainerCanServe(String policy) {
    Policy made = Policies.create(policy, settings(demo(policy, Map.of())), DOMAINS);
    Cadence run = new Cadence(made.hasRounds() ? 10 : 0, 2, new TreeMap<>(Map.of(1L, 16)), 60);
    assertThat(made.inRun(run).name()).isEqualTo(policy);
  }

  @Test
  void saysWhatADemoCannotDo() {
    assertThatThrownBy(() -> settings(demo("external", Map.of())))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--policy must be one that decides by itself: no process");
  }

  @Test
  void refusesWhatItsTrainerCannotMeasureBeforeAnythingIsStarted(@TempDir Path directory)
      throws IOException {
    for (String domain : DOMAINS) {
      Path folder = Files.createDirectories(directory.resolve("corpus").resolve(domain));
      Files.writeString(folder.resolve("text.md"), "words of " + domain);
    }
    Display display = new Display(System.out, false, System::nanoTime);
    Demo demo = new Demo(demo(directory, "doremi", Map.of()), display, Topics.standard());
    assertThatThrownBy(demo::run)
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--policy 'doremi' compares losses with a reference model's");
  }

  @Test
  void leavesWhatIsGivenAsItIs() {
    Map<String, String> targets = Map.of("targets.code", "1", "targets.prose", "2");
    assertThat(settings(demo("velocitune", targets))).isEqualTo(targets);
    assertThat(settings(demo("velocitune", Map.of("eta", "2"))))
        .isEqualTo(Map.of("eta", "2", "target-fraction", "0.4"));
    Map<String, String> groups = Map.of("groups.all.domains", "code prose sums");
    assertThat(settings(demo("tree", groups))).isEqualTo(groups);
    assertThat(settings(demo("odm", Map.of("warm-up", "7")))).isEqualTo(Map.of("warm-up", "7"));
    Map<String, String> recorded = Map.of("at.0", "code=1 sums=2");
    assertThat(settings(demo("recorded", recorded))).isEqualTo(recorded);
  }

  @Test
  void takesTheTargetDomainsWhereAPolicyAsksForOne() {
    assertThat(settings(demo("importance-sampling", Map.of(), "sums")))
        .isEqualTo(Map.of("histogram.sums", "1"));
    assertThat(settings(demo("dga", Map.of(), "sums", "prose")))
        .isEqualTo(Map.of("target", "sums prose"));
    assertThat(settings(demo("doge", Map.of("target", "prose"), "sums")))
        .isEqualTo(Map.of("target", "prose"));
    Map<String, String> basis = Map.of("basis.a", "code=1", "basis.b", "prose=1 sums=1");
    assertThat(settings(demo("dga-distribution", basis, "sums")))
        .containsAllEntriesOf(basis)
        .containsEntry("target", "sums");
    assertThat(settings(demo("tree", Map.of(), "prose")))
        .containsEntry("groups.target.domains", "prose")
        .containsEntry("groups.others.domains", "code sums")
        .containsEntry("stages.1.until", "32 batches");
    assertThat(settings(demo("tree", Map.of(), "sums", "prose", "code")))
        .containsOnlyKeys("groups.target.domains", "stages.1.ratios.target");
  }
}
