package io.sluice.cli.upgrade;

import io.sluice.cli.plan.form.KubernetesName;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job is called.
 *
 * @param kind mix, prepare or refine
 * @param of the dataset, or the refinery; '' of mix
 */
record JobName(String kind, String of) {
  static final JobName MIX = new JobName("mix", "");
  private static final Pattern TEXT =
      Pattern.compile("(?:sluice )?(?:(mix)|(prepare|refine) ([A-Za-z0-9_-]{1,63}))");
  private static final Pattern FLINKS = Pattern.compile("sluice (?:mix|(?:prepare|refine) .+)");

  /**
   * Of a text such as {@code prepare small}.
   *
   * @throws BadInputException if it is none
   */
  static JobName parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new BadInputException(
          "--job must be mix, 'prepare DATASET', 'refine REFINERY', or the id of a job: '"
              + text
              + "'");
    }
    return parts.group(1) != null ? MIX : new JobName(parts.group(2), parts.group(3));
  }

  /** Whether a job of Flink's is called as those of Sluice are. */
  static boolean isSluices(String flinks) {
    return FLINKS.matcher(flinks).matches();
  }

  /** In Flink's list. */
  String flinks() {
    return "sluice " + text();
  }

  /** As {@code --job} takes it. */
  String text() {
    return kind + (of.isEmpty() ? "" : " " + of);
  }

  /**
   * What a FlinkDeployment of it is called by {@code plan --flink}; under the standard prefix the
   * manifests in {@code deploy/kubernetes} call it so, too.
   */
  String deployment(Topics topics) {
    return KubernetesName.deployment(topics, kind + (of.isEmpty() ? "" : "-" + of));
  }

  /** What starts it, with the arguments that reach Kafka. */
  List<String> arguments(List<String> kafka) {
    List<String> arguments = new ArrayList<>(List.of(kind));
    arguments.addAll(kafka);
    if (kind.equals("prepare")) {
      arguments.addAll(List.of("--dataset", of));
    } else if (kind.equals("refine")) {
      arguments.addAll(List.of("--refinery", of));
    }
    return arguments;
  }
}
