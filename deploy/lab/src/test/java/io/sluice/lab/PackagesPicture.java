package io.sluice.lab;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A matrix of all packages, what is known above who knows it: a cell says that its row uses its
 * column. Without circles nothing is above the diagonal.
 */
final class PackagesPicture {
  private static final String ROOT = "io.sluice.";
  private static final List<String> MODULES =
      List.of("schema", "mixture", "control", "jobs", "client", "djl", "service", "cli", "lab");
  private static final List<String> COLOURS =
      List.of(
          "#4477aa", "#228833", "#ccbb44", "#ee6677", "#66ccee", "#aa3377", "#777777", "#225555",
          "#997700");
  private static final int CELL = 10;
  private static final int NAMES = 150;
  private static final int HEAD = 26;

  private final Map<String, Set<String>> known = new TreeMap<>();
  private final List<String> rows = new ArrayList<>();
  private final Set<String> placed = new HashSet<>();
  private final StringBuilder svg = new StringBuilder();

  PackagesPicture(JavaClasses classes) {
    for (JavaClass each : classes) {
      Set<String> targets = known.computeIfAbsent(name(each), name -> new TreeSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().startsWith(ROOT)) {
          targets.add(name(target));
        }
      }
    }
    known.forEach((name, targets) -> targets.remove(name));
    for (String module : MODULES) {
      known.keySet().stream().filter(name -> module(name).equals(module)).forEach(this::place);
    }
  }

  private static String name(JavaClass of) {
    return of.getPackageName().substring(ROOT.length());
  }

  private static String module(String name) {
    return name.split("\\.", 2)[0];
  }

  /** Places a package below those of its module that it knows. */
  private void place(String name) {
    if (!placed.add(name)) {
      return;
    }
    for (String target : known.getOrDefault(name, Set.of())) {
      if (module(target).equals(module(name)) && !target.equals(name)) {
        place(target);
      }
    }
    rows.add(name);
  }

  String svg() {
    int side = rows.size() * CELL;
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'",
        NAMES + side + 12, HEAD + side + 12);
    add(
        " font-family='sans-serif' font-size='8'>\n"
            + "<rect width='100%%' height='100%%' fill='white'/>\n");
    add(
        "<text x='8' y='16' font-size='11'>Packages: a row's uses the column's; columns are in the"
            + " order of rows</text>\n");
    for (int row = 0; row < rows.size(); row++) {
      row(row);
    }
    return add("</svg>\n").toString();
  }

  private void row(int row) {
    String name = rows.get(row);
    int y = HEAD + row * CELL;
    add("<text x='8' y='%d'>%s</text>\n", y + 8, name.replace('.', '/'));
    for (int column = 0; column < rows.size(); column++) {
      String colour = COLOURS.get(MODULES.indexOf(module(rows.get(column))));
      String fill =
          row == column ? "#dddddd" : known.get(name).contains(rows.get(column)) ? colour : "";
      if (!fill.isEmpty()) {
        add(
            "<rect x='%d' y='%d' width='9' height='9' fill='%s'/>\n",
            NAMES + column * CELL, y, fill);
      }
    }
  }

  private StringBuilder add(String format, Object... values) {
    return svg.append(String.format(Locale.ROOT, format, values));
  }
}
