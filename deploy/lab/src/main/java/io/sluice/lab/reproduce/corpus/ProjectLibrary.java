package io.sluice.lab.reproduce.corpus;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.demo.ProjectFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Texts of this project's own files: small, and there without any network. */
public final class ProjectLibrary implements Library {
  private static final Map<String, Predicate<String>> DOMAINS =
      Map.of(
          "prose", name -> name.endsWith(".md"),
          "main", name -> name.endsWith(".java") && name.contains("/main/"),
          "python", name -> name.endsWith(".py"),
          "tests", name -> name.endsWith(".java") && name.contains("/test/"),
          "config",
              name -> List.of("xml", "yaml", "json", "avsc").stream().anyMatch(name::endsWith));

  private final Path project;

  /** Texts of the project in a folder. */
  public ProjectLibrary(Path project) {
    this.project = project;
  }

  @Override
  public String name() {
    return "project";
  }

  @Override
  public List<String> domains() {
    return List.of("prose", "main", "python", "config", "tests");
  }

  @Override
  public List<Section> sections(String domain) {
    Predicate<String> has = DOMAINS.get(domain);
    if (has == null) {
      throw new BadInputException(
          "the project's own files have no domain " + domain + ": --corpora debian has");
    }
    List<Section> sections = new ArrayList<>();
    for (Path file : ProjectFiles.of(project)) {
      String name = project.relativize(file).toString();
      if (has.test(name)) {
        sections.addAll(Section.of(name, ProjectFiles.read(file)));
      }
    }
    return sections;
  }
}
