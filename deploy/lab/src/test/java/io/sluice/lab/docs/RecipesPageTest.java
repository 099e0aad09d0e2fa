package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.docs.MarkdownPage.Block;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Follows one recipe after the other, step by step, in a copy of the repository. */
class RecipesPageTest {
  private static final MarkdownPage PAGE = DocsPage.read("recipes.md");

  /** Files that were there before and that a recipe may touch. */
  private static final int MOST_TOUCHED = 6;

  private static final Pattern TOUCHED = Pattern.compile("Touches\\s(\\d+)\\sfiles\\sthat\\sexist");

  @TempDir static Path directory;

  private static RecipeBuild build;

  static List<String> recipes() {
    return PAGE.sections().keySet().stream().filter(name -> !PAGE.blocks(name).isEmpty()).toList();
  }

  @BeforeAll
  static void copy() throws IOException {
    Path origin = Path.of("..", "..").toRealPath();
    build = new RecipeBuild(origin, directory.resolve("copy"));
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void leadsToWhatItSays(String name) throws IOException, InterruptedException {
    Recipe recipe = Recipe.of(PAGE, name);
    Map<String, ByteBuffer> before = build.contents();
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
    assertThat(build.changedSince(before))
        .hasSize(Integer.parseInt(said.group(1)))
        .hasSizeLessThanOrEqualTo(MOST_TOUCHED);
  }
}
