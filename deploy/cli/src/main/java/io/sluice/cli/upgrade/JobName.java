package io.sluice.cli.upgrade;

import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    return "sluice " + kind + (of.isEmpty() ? "" : " " + of);
  }

  /** What a FlinkDeployment of it is called in the manifests. */
  String deployment() {
    return flinks().replace(' ', '-').replace('_', '-').toLowerCase(Locale.ROOT);
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
