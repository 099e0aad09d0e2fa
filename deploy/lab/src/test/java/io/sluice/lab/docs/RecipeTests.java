package io.sluice.lab.docs;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs tests in a JVM of their own, chosen as with Maven: {@code Class} or {@code Class#method*}.
 */
final class RecipeTests {
  private RecipeTests() {}

  /** Exits with 1 if a test fails, or if there is none. */
  public static void main(String[] names) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String name : names) {
      request.selectors(methods(name).toArray(DiscoverySelector[]::new));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request.build(), listener);
    listener
        .getSummary()
        .printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 20);
    boolean all = listener.getSummary().getTotalFailureCount() == 0;
    System.exit(all && listener.getSummary().getTestsSucceededCount() > 0 ? 0 : 1);
  }

  private static Stream<DiscoverySelector> methods(String name) {
    String[] parts = name.split("#", 2);
    String pattern = parts.length == 1 ? ".*" : parts[1].replace("*", ".*");
    try {
      Class<?> type = Class.forName(parts[0]);
      return Stream.of(type.getDeclaredMethods())
          .filter(method -> method.getName().matches(pattern) && !method.isSynthetic())
          .filter(RecipeTests::isTest)
          .map(method -> selectMethod(type, method));
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  private static boolean isTest(Method method) {
    return Stream.of(method.getAnnotations())
        .anyMatch(each -> each.annotationType().getSimpleName().endsWith("Test"));
  }
}
