package io.sluice.cli.simulate;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.simulate.Trajectory;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Weights and losses of every round as CSV, a line for each policy, batch and domain. */
final class CourseCsv {
  private CourseCsv() {}

  /**
   * Writes the file.
   *
   * @throws BadInputException if it cannot be written
   */
  static void write(Path file, List<String> domains, List<Course> courses) {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("policy,batch,domain,weight,loss\n");
      for (Course course : courses) {
        for (Trajectory.Point point : course.points()) {
          for (int i = 0; i < domains.size(); i++) {
            out.write(quoted(course.label()) + "," + point.batch() + "," + domains.get(i) + ",");
            out.write(point.shares()[i] + "," + number(point.losses()[i]) + "\n");
          }
        }
      }
    } catch (IOException e) {
      throw new BadInputException(
          "--csv must be a file that can be written: " + file + ": " + e, e);
    }
  }

  /** An absent measurement is an empty cell. */
  private static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  private static String quoted(String label) {
    return label.matches("[^\",\\n\\r]*") ? label : '"' + label.replace("\"", "\"\"") + '"';
  }
}
