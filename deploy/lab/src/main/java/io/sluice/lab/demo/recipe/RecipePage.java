package io.sluice.lab.demo.recipe;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.docs.MarkdownPage;
import io.sluice.lab.docs.MarkdownPage.Block;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page whose blocks of YAML are files and whose blocks of the shell are lines to type.
 *
 * @param name of the recipe
 * @param page where it is read from, for people
 */
public record RecipePage(String name, String page, List<Block> blocks) {
  /** The recipes that there are. */
  public static final List<String> NAMES = List.of("syne", "dga");

  private static final String FILE = "yaml";
  private static final String LINES = "sh";

  /** Copies the blocks, and checks that there is something to type. */
  public RecipePage {
    blocks = List.copyOf(blocks);
    if (blocks.stream().noneMatch(RecipePage::isLines)) {
      throw new BadInputException(page + " must have lines to type in blocks of '" + LINES + "'");
    }
  }

  /**
   * Reads the page of a recipe.
   *
   * @param project folder of the sources
   * @throws BadInputException if there is no such recipe, or no such page
   */
  public static RecipePage read(Path project, String name) {
    if (!NAMES.contains(name)) {
      throw new BadInputException(
          "--recipe must be one of " + String.join(", ", NAMES) + ": '" + name + "'");
    }
    String page = "docs/recipes/" + name + ".md";
    Path file = project.resolve(page);
    if (!Files.isRegularFile(file)) {
      throw new BadInputException(
          "--recipe needs this project's sources, and there is no " + page + " in " + project);
    }
    return new RecipePage(name, page, MarkdownPage.read(file).blocks());
  }

  static boolean isFile(Block block) {
    return block.language().equals(FILE);
  }

  static boolean isLines(Block block) {
    return block.language().equals(LINES);
  }
}
