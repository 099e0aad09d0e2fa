package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.cli.simulate.PoliciesPage.Setting;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.MetricNeed;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.simulate.scenario.Scenarios;
import io.sluice.mixture.smoothing.Guards;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Holds the page on policies against the code. */
class PoliciesPageTest {
  private static final PoliciesPage PAGE = PoliciesPage.read();
  private static final List<String> DOMAINS = List.of("a", "b");
  private static final Cadence RUN = new Cadence(500, 0, new TreeMap<>(Map.of(1L, 8)), 9000);
  private static final boolean FULL = Boolean.getBoolean("sluice.full");
  private static final String GUARDS = "Smoothing and guards";
  private static final Pattern RANGE = Pattern.compile("(above )?(\\S+) to (below )?(\\S+)");

  static List<String> policies() {
    return Policies.names();
  }

  static List<String> policiesAndGuards() {
    List<String> all = new ArrayList<>(Policies.names());
    all.add(GUARDS);
    return all;
  }

  static List<String> simulations() {
    return PAGE.simulations().stream().filter(line -> FULL || !isLong(line)).toList();
  }

  /** Many runs of the model that is trained on samples, or many targets that are fitted. */
  private static boolean isLong(String arguments) {
    boolean varies = arguments.contains("--vary");
    return arguments.contains("low-data")
        ? varies || arguments.contains("--seeds")
        : varies && arguments.contains("velocitune");
  }

  /** The least that a policy can be made with; the setting under test is not in the way. */
  private static Map<String, String> least(String policy, String without) {
    Map<String, String> settings = new TreeMap<>();
    switch (policy) {
      case "velocitune" -> settings.put("target-fraction", "0.5");
      case "dynamic-batch-loading" -> settings.putAll(Map.of("targets.a", "1", "targets.b", "1"));
      case "importance-sampling" -> settings.put("histogram.a", "1");
      case "dga-distribution" -> settings.putAll(Map.of("basis.a", "a=1", "basis.b", "b=1"));
      case "recorded" -> settings.put("at.0", "a=1 b=2");
      case "tree" -> settings.putAll(Map.of("groups.g.domains", "a b", "stages.1.ratios.g", "1"));
      default -> {}
    }
    if (policy.equals("velocitune") && without.equals("targets")) {
      settings.clear();
    }
    if (policy.equals("dynamic-batch-loading") && without.equals("target-fraction")) {
      settings.clear();
    }
    if (without.startsWith("law-")) {
      String other = without.equals("law-scale") ? "law-exponent" : "law-scale";
      settings.putAll(Map.of(other + ".a", "1", other + ".b", "1"));
    }
    return settings;
  }

  private static void create(String section, Map<String, String> settings) {
    if (section.equals(GUARDS)) {
      Guards.of(settings, DOMAINS);
    } else {
      Policies.create(section, settings, DOMAINS);
    }
  }

  private static Map<String, String> with(String section, Setting setting, String value) {
    Map<String, String> settings = least(section, setting.stem());
    if (setting.isPerName()) {
      DOMAINS.forEach(domain -> settings.put(setting.stem() + "." + domain, value));
    } else {
      settings.put(setting.key(), value);
    }
    return settings;
  }

  @ParameterizedTest
  @MethodSource("policiesAndGuards")
  void namesEverySetting(String section) {
    Map<String, String> settings = least(section, "");
    settings.put("unheard-of", "1");
    Throwable refused = catchThrowable(() -> create(section, settings));
    assertThat(refused).hasMessageContaining("is not a setting; known are ");
    String message = refused.getMessage();
    String known = message.substring(message.indexOf("known are [") + 11, message.length() - 1);
    TreeSet<String> written = new TreeSet<>();
    PAGE.settings(section).forEach(setting -> written.add(setting.key()));
    TreeSet<String> actual = new TreeSet<>();
    Arrays.stream(known.split(", ", -1)).filter(key -> !key.isEmpty()).forEach(actual::add);
    // Of the run, for each policy that has rounds.
    actual.remove("every");
    assertThat(generic(written)).isEqualTo(generic(actual));
  }

  private static Set<String> generic(Set<String> keys) {
    TreeSet<String> generic = new TreeSet<>();
    keys.forEach(key -> generic.add(key.replace("<n>", "1").replaceAll("<.*>", "<>")));
    return generic;
  }

  @ParameterizedTest
  @MethodSource("policiesAndGuards")
  void givesTheRangeOfEverySetting(String section) {
    for (Setting setting : PAGE.settings(section)) {
      Matcher range = RANGE.matcher(setting.allowed());
      if (range.matches()) {
        double low = number(range.group(2));
        double high = number(range.group(4));
        double least = range.group(1) == null ? low : Math.nextUp(low);
        double most = range.group(3) == null ? high : Math.nextDown(high);
        assertAccepted(section, setting, least);
        assertAccepted(section, setting, most);
        assertRefused(section, setting, Math.nextDown(least));
        assertRefused(section, setting, Math.nextUp(most));
      } else if (setting.allowed().contains(", ")) {
        for (String word : setting.allowed().split(", ", -1)) {
          assertThat(catchThrowable(() -> create(section, with(section, setting, word)))).isNull();
        }
        String words = setting.allowed().replace(", ", " or ");
        assertThatThrownBy(() -> create(section, with(section, setting, "other")))
            .hasMessageEndingWith(setting.key() + " must be " + words + ": 'other'");
      }
    }
  }

  private static void assertAccepted(String section, Setting setting, double value) {
    Map<String, String> settings = with(section, setting, Double.toString(value));
    Throwable refused = catchThrowable(() -> create(section, settings));
    boolean outOfRange = refused != null && refused.getMessage().contains(" be in ");
    assertThat(outOfRange).as(setting + " takes " + value + ": " + refused).isFalse();
  }

  private static void assertRefused(String section, Setting setting, double value) {
    Map<String, String> settings = with(section, setting, Double.toString(value));
    assertThatThrownBy(() -> create(section, settings)).hasMessageContaining(" be in ");
  }

  private static double number(String text) {
    return text.equals("2^52") ? 0x1p52 : Double.parseDouble(text);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void namesWhatTrainersHaveToMeasure(String policy) {
    Policy made = Policies.create(policy, least(policy, ""), DOMAINS);
    assertThat(PAGE.metrics(policy))
        .isEqualTo(MetricNeed.of(made).stream().map(MetricNeed::name).toList());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void givesTheDefaultOfEverySetting(String policy) {
    double[] expected = decided(policy, least(policy, ""));
    for (Setting setting : PAGE.settings(policy)) {
      if (!setting.defaultValue().equals("none") && !setting.isPerName()) {
        assertThat(decided(policy, with(policy, setting, setting.defaultValue())))
            .as(setting.toString())
            .isEqualTo(expected);
      }
    }
  }

  /** Weights after some rounds of any measurements. */
  private static double[] decided(String name, Map<String, String> settings) {
    Policy policy = Policies.create(name, settings, DOMAINS).inRun(RUN);
    Random random = new Random(5);
    double[] shares = policy.startingShares(new double[] {.3, .7});
    byte[] state = policy.initialState(shares);
    for (int round = policy.hasRounds() ? 1 : 9; round < 9; round++) {
      Observation observation = Observation.at(round * 500L);
      for (String metric : policy.metrics()) {
        int values = policy.axis(metric).names(DOMAINS).size();
        double[] sums = new double[values];
        long[] counts = new long[values];
        for (int i = 0; i < values; i++) {
          sums[i] = (i % 2 == 0 ? 100 : 300) * random.nextDouble() + 1;
          counts[i] = i % 2 == 0 ? 30 : 70;
        }
        observation = observation.with(metric, sums, counts);
      }
      Policy.Decision decision = policy.decide(state, observation);
      state = decision.state();
      shares = decision.shares();
    }
    return shares;
  }

  @Test
  void givesTheDefaultsOfTheGuards() {
    for (Setting setting : PAGE.settings(GUARDS)) {
      if (!setting.defaultValue().equals("none")) {
        assertThat(Guards.of(Map.of(setting.key(), setting.defaultValue()), DOMAINS))
            .isEqualTo(Guards.NONE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("simulations")
  void printsTheTablesThatTheSimulatorPrints(String arguments) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new SimulateCommand())
            .setOut(new PrintWriter(out))
            .execute(arguments.replace(" docs/", " ../../docs/").split(" +"));
    assertThat(code).isZero();
    List<String> table = out.toString().lines().filter(line -> line.startsWith("|")).toList();
    assertThat(table).hasSizeGreaterThan(3);
    assertThat(PAGE.text()).contains(String.join("\n", table));
  }

  @Test
  void hasASimulationOfEveryScenario() {
    assertThat(PAGE.simulations().stream().map(line -> line.split(" +", -1)[1]).toList())
        .hasSameElementsAs(Scenarios.names());
  }
}
