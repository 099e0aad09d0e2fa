package io.sluice.lab.demo.recipe;

import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.docs.MarkdownPage.Block;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Goes through a page: writes its files, types its lines, and stops at the first that fails.
 *
 * @param says told of each file and line before it is dealt with
 */
public record RecipePlayer(
    Workshop workshop, Shell shell, LongSupplier nanoTime, Consumer<String> says) {
  private static final Pattern AUDIT = Pattern.compile("\\./sluice audit .*");
  private static final Pattern PICTURE = Pattern.compile(".* --svg (\\S+)( .*)?");

  /**
   * Goes through all of it.
   *
   * @throws CheckFailedException if a line ends with another exit code than 0; the message has the
   *     line, the code and what was printed
   * @throws InterruptedException if this thread is interrupted; nothing goes on then
   */
  public RecipeReport play(RecipePage page) throws InterruptedException {
    long start = nanoTime.getAsLong();
    List<RecipeReport.Line> lines = new ArrayList<>();
    String audit = "";
    String picture = "";
    for (Block block : page.blocks()) {
      if (RecipePage.isFile(block)) {
        says.accept("writes " + workshop.write(block).getFileName());
      } else if (RecipePage.isLines(block)) {
        for (String line : block.text().lines().toList()) {
          long began = nanoTime.getAsLong();
          says.accept("$ " + line);
          List<String> said = type(page, lines.size() + 1, line);
          lines.add(new RecipeReport.Line(line, since(began)));
          audit = AUDIT.matcher(line).matches() && !said.isEmpty() ? said.get(0) : audit;
          picture = picture(line, picture);
        }
      }
    }
    return new RecipeReport(page.name(), since(start), lines, audit, picture);
  }

  private List<String> type(RecipePage page, int number, String line) throws InterruptedException {
    Shell.Ended ended = shell.type(line);
    if (ended.exit() != 0) {
      throw new CheckFailedException(
          "line %d of %s ended with exit code %d: %s%n%s"
              .formatted(
                  number,
                  page.page(),
                  ended.exit(),
                  line,
                  String.join(System.lineSeparator(), ended.said())));
    }
    return ended.said();
  }

  private String picture(String line, String before) {
    Matcher drawn = PICTURE.matcher(line);
    Path folder = workshop.folder();
    return drawn.matches() ? folder.resolve(drawn.group(1)).toString() : before;
  }

  private double since(long began) {
    return (nanoTime.getAsLong() - began) / 1e9;
  }
}
