package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.docs.MarkdownPage.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Follows every recipe, step by step, in a copy of the repository. */
class RecipesPageTest {
  private static final MarkdownPage PAGE = MarkdownPage.read("recipes.md");

  /** Files that were there before and that a recipe may touch. */
  private static final int MOST_TOUCHED = 6;

  private static final Pattern TOUCHED = Pattern.compile("Touches (\\d+) files that\\sexist");

  @TempDir Path directory;

  static List<String> recipes() {
    return PAGE.sections().keySet().stream().filter(name -> !PAGE.blocks(name).isEmpty()).toList();
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void leadsToWhatItSays(String name) throws IOException, InterruptedException {
    Recipe recipe = Recipe.of(PAGE, name);
    Path origin = Path.of("..", "..").toRealPath();
    RecipeBuild build = new RecipeBuild(origin, directory.resolve("copy"));
    for (Block block : recipe.blocks()) {
      List<String> commands = Recipe.apply(block, build.tree());
      if (!commands.isEmpty()) {
        build.compile(recipe.files());
      }
      for (String command : commands) {
        build.run(command);
      }
    }
    Matcher said = TOUCHED.matcher(PAGE.sections().get(name));
    assertThat(said.find()).isTrue();
    assertThat(build.changed())
        .hasSize(Integer.parseInt(said.group(1)))
        .hasSizeLessThanOrEqualTo(MOST_TOUCHED);
  }
}
