package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A copy of the repository in which recipes are tried, one after the other. What a recipe changes,
 * and what names a type that it changes, is compiled against the classes that are built; a Maven
 * command of it is taken as its module, its tests and its properties.
 */
final class RecipeBuild {
  private static final Set<String> LEFT_OUT =
      Set.of("target", ".git", ".sluice", ".venv", "node_modules", "__pycache__", ".claude");
  private static final Pattern COMMAND =
      Pattern.compile("mvn -pl (\\S+) -am test -Dtest='?([^ ']+)'?(.*)");
  private static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m");
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private final Path origin;
  private final Path tree;
  private final Path classes;

  RecipeBuild(Path origin, Path tree) throws IOException {
    this.origin = origin;
    this.tree = tree;
    this.classes = Files.createDirectories(tree.resolve("target"));
    copy();
  }

  Path tree() {
    return tree;
  }

  private void copy() throws IOException {
    Files.walkFileTree(
        origin,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (LEFT_OUT.contains(folder.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(tree.resolve(origin.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              Files.copy(file, tree.resolve(origin.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** What the files hold now, by their names, without those that are built. */
  Map<String, ByteBuffer> contents() throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = tree.relativize(file).toString();
        if (!name.startsWith("target/") && !name.contains("/target/")) {
          contents.put(name, ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }
    return contents;
  }

  /** The files that were there before and are not as they were. */
  Set<String> changedSince(Map<String, ByteBuffer> before) throws IOException {
    Map<String, ByteBuffer> now = contents();
    Set<String> changed = new TreeSet<>(before.keySet());
    changed.removeIf(name -> before.get(name).equals(now.get(name)));
    return changed;
  }

  /** Compiles what of these has been made or changed, and whatever names a changed type. */
  void compile(Set<String> files) throws IOException, InterruptedException {
    Set<Path> sources = new TreeSet<>();
    for (String name : files) {
      Path file = tree.resolve(name);
      Path before = origin.resolve(name);
      boolean isNew = !Files.exists(before);
      if (Files.exists(file) && (isNew || Files.mismatch(file, before) >= 0)) {
        String type = file.getFileName().toString().replaceFirst("\\..*", "");
        boolean isSchema = name.endsWith(".avsc");
        if (isSchema) {
          sources.addAll(generated(type));
        } else if (name.contains("/src/main/java/")) {
          sources.add(file);
        }
        if (!isNew && (isSchema || name.contains("/src/main/java/"))) {
          sources.addAll(users(type));
        }
      }
    }
    compile(List.copyOf(sources), "");
  }

  /**
   * The classes of a schema and of those that it is a part of, made by the build itself: without
   * the network, as it has run.
   */
  private List<Path> generated(String schema) throws IOException, InterruptedException {
    start(tree, List.of("mvn", "-o", "-q", "-B", "-Pfast", "-pl", "schemas", "generate-sources"));
    return naming(schema, tree.resolve("schemas/target"), "/target/");
  }

  private List<Path> users(String name) throws IOException {
    return naming(name, tree, "/src/main/java/");
  }

  private static List<Path> naming(String name, Path root, String within) throws IOException {
    Pattern word = Pattern.compile("\\b" + name + "\\b");
    List<Path> naming = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().contains(within)).toList()) {
        if (file.toString().endsWith(".java") && word.matcher(Files.readString(file)).find()) {
          naming.add(file);
        }
      }
    }
    return naming;
  }

  private void compile(List<Path> sources, String sourcePath) throws IOException {
    if (sources.isEmpty()) {
      return;
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter out = new StringWriter();
    List<String> options =
        List.of(
            "-d",
            classes.toString(),
            "-cp",
            classes + File.pathSeparator + CLASS_PATH,
            "-sourcepath",
            sourcePath,
            "-proc:none",
            "-nowarn",
            "-parameters");
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(out, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(compiled).as(out.toString()).isTrue();
    }
  }

  /** Runs the tests of a Maven command. */
  void run(String command) throws IOException, InterruptedException {
    Matcher maven = COMMAND.matcher(command.strip());
    assertThat(maven.matches()).as(command).isTrue();
    Path module = tree.resolve(maven.group(1));
    Path tests = module.resolve("src/test/java");
    List<String> call =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                String.join(File.pathSeparator, classPath(module))));
    call.addAll(1, SHORT_LIVED);
    for (String property : maven.group(3).strip().split(" +", 0)) {
      if (property.startsWith("-Dsluice.")) {
        call.add(property);
      }
    }
    call.add(RecipeTests.class.getName());
    List<Path> sources = new ArrayList<>();
    for (String test : maven.group(2).split(",", 0)) {
      String[] parts = test.split("#", 2);
      Path source = source(tests, parts[0]);
      sources.add(source);
      String type = tests.relativize(source).toString().replace(".java", "").replace('/', '.');
      call.add(test.replace(parts[0], type));
    }
    compile(sources, tests.toString());
    start(module, call);
  }

  private void start(Path directory, List<String> call) throws IOException, InterruptedException {
    Path log = tree.resolve("target/log");
    ProcessBuilder process =
        new ProcessBuilder(call)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    process.environment().put("MAVEN_OPTS", String.join(" ", SHORT_LIVED));
    int code = process.start().waitFor();
    assertThat(code).as(String.join(" ", call) + "\n" + Files.readString(log)).isZero();
  }

  /** The copy's resources go before those that were built. */
  private List<String> classPath(Path module) throws IOException {
    List<String> path = new ArrayList<>(List.of(classes.toString()));
    try (Stream<Path> folders = Files.find(tree, 5, (f, a) -> f.endsWith("src/main/resources"))) {
      folders.forEach(folder -> path.add(folder.toString()));
    }
    path.add(module.resolve("src/test/resources").toString());
    path.add(origin.resolve(tree.relativize(module)).resolve("target/test-classes").toString());
    path.add(CLASS_PATH);
    return path;
  }

  private static Path source(Path tests, String name) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      return files.filter(file -> file.endsWith(name + ".java")).findFirst().orElseThrow();
    }
  }
}
