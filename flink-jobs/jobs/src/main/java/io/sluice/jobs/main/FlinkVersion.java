package io.sluice.jobs.main;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which releases of Flink the jobs run on. */
final class FlinkVersion {
  private static final int MAJOR = 2;
  private static final int LEAST_MINOR = 2;
  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)(\\..*|-.*)?");

  private FlinkVersion() {}

  /**
   * Refuses a release whose classes are others; one that cannot be told is taken.
   *
   * @param version as Flink says it of itself
   * @throws JobRefusedException naming it
   */
  static void require(String version) {
    Matcher release = RELEASE.matcher(version);
    if (!release.matches()) {
      return;
    }
    int major = Integer.parseInt(release.group(1));
    int minor = Integer.parseInt(release.group(2));
    if (major != MAJOR || minor < LEAST_MINOR) {
      throw new JobRefusedException(
          "Flink must be %d.%d or a later %d: this is %s"
              .formatted(MAJOR, LEAST_MINOR, MAJOR, version));
    }
  }
}
