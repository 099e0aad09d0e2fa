package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The two tables of docs/architecture.md are those of the classes. */
@AnalyzeClasses(packages = "io.sluice", importOptions = MainClasses.class)
final class ArchitecturePageTest {
  private static final String ROOT = "io.sluice.";
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  @ArchTest
  static void everyModuleKnowsWhatThePageSays(JavaClasses classes) throws IOException {
    Map<String, Set<String>> known = new TreeMap<>();
    for (JavaClass each : classes) {
      Set<String> modules = known.computeIfAbsent(module(each), name -> new TreeSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().startsWith(ROOT) && !module(target).equals(module(each))) {
          modules.add(module(target));
        }
      }
    }
    assertThat(table("| module | is | knows |", 2)).isEqualTo(known);
  }

  @ArchTest
  static void everyPackageIsOnThePage(JavaClasses classes) throws IOException {
    Map<String, Set<String>> packages = new TreeMap<>();
    for (JavaClass each : classes) {
      String[] parts = each.getPackageName().substring(ROOT.length()).split("\\.", 2);
      if (parts.length > 1) {
        packages
            .computeIfAbsent(module(each), name -> new TreeSet<>())
            .add(parts[1].replace('.', '/'));
      }
    }
    assertThat(table("| module | packages |", 1)).isEqualTo(packages);
  }

  /** The generated records are of the package 'schema', the module is 'schemas'. */
  private static String module(JavaClass each) {
    String first = each.getPackageName().substring(ROOT.length()).split("\\.", 2)[0];
    return first.equals("schema") ? "schemas" : first;
  }

  /** The names in one column of a table, by the last part of the name in the first column. */
  private static Map<String, Set<String>> table(String header, int column) throws IOException {
    List<String> page = Files.readAllLines(Path.of("../../docs/architecture.md"));
    Map<String, Set<String>> rows = new TreeMap<>();
    for (String row : page.subList(page.indexOf(header) + 2, page.size())) {
      if (row.isEmpty()) {
        break;
      }
      String[] cells = row.substring(2).split(" \\| ", -1);
      String module = names(cells[0]).iterator().next();
      rows.put(module.substring(module.lastIndexOf('/') + 1), names(cells[column]));
    }
    return rows;
  }

  private static Set<String> names(String cell) {
    Set<String> names = new TreeSet<>();
    NAME.matcher(cell).results().forEach(match -> names.add(match.group(1)));
    return names;
  }
}
