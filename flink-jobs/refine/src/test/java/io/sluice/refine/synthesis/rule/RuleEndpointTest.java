package io.sluice.refine.synthesis.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.Request;
import io.sluice.refine.synthesis.Sampling;
import io.sluice.refine.synthesis.qa.QaForm;
import io.sluice.refine.synthesis.qa.QaPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RuleEndpointTest {
  private static final Path ROOT = Path.of("../..");
  private static final RuleEndpoint RULES = new RuleEndpoint(prompt -> prompt);

  @Test
  void functionsOfPythonAreProblemsAndSolutions() {
    String source =
        """
        import math

        class Circle(Shape):
            \"""A circle.\"""

            def area(self, scale: float = 1.0) -> float:
                \"""The area.

                Scaled by scale.
                \"""
                radius = self.radius * scale

                return math.pi * radius ** 2

            def none(self):
                pass
        """;

    assertThat(pairs(source))
        .containsExactly(
            new QaPair("What is the Python class `Circle`?", "A circle."),
            new QaPair(
                """
                Write a Python function that begins with `def area(self, scale: float = 1.0) -> float:` and does this:

                The area.

                Scaled by scale.""",
                """
                ```python
                def area(self, scale: float = 1.0) -> float:
                    radius = self.radius * scale

                    return math.pi * radius ** 2
                ```"""));
  }

  @Test
  void methodsOfJavaAreProblemsAndSolutions() {
    String source =
        """
        /** A circle; see {@link Shape}. */
        @Deprecated(since = "1")
        public final class Circle {
          /**
           * The area.
           *
           * @param scale of it
           */
          @Override
          public double area(double scale) {
            String brace = "}"; // not }
            return Math.PI * scale;
          }

          /** A radius. */
          private double radius;
        }
        """;

    assertThat(pairs(source))
        .containsExactly(
            new QaPair("What is the Java class `Circle`?", "A circle; see `Shape`."),
            new QaPair(
                """
                Write a Java method `public double area(double scale)` that does this:

                The area.

                @param scale of it""",
                """
                ```java
                public double area(double scale) {
                  String brace = "}"; // not }
                  return Math.PI * scale;
                }
                ```"""));
  }

  @Test
  void sectionsOfManualsAndOfMarkdownAreAnswers() {
    String manual =
        """
        NAME
               ls, dir - list directory contents

        SYNOPSIS
               ls [OPTION]... [FILE]...

        EXIT STATUS
               0 if OK.
        """;
    assertThat(pairs(manual))
        .containsExactly(
            new QaPair("What is `ls`?", "ls, dir - list directory contents"),
            new QaPair("How is `ls` called?", "ls [OPTION]... [FILE]..."),
            new QaPair("What does the manual of `ls` say of its exit status?", "0 if OK."));
    String markdown =
        "# Building\n\nFirst, a JDK.\n\n## Tests\n\n```\n# not a heading\nmvn test\n```\n";
    assertThat(pairs(markdown))
        .containsExactly(
            new QaPair("What is to be known of \"Building\" first?", "First, a JDK."),
            new QaPair(
                "What does \"Building\" say of \"Tests\"?", "```\n# not a heading\nmvn test\n```"));
    assertThat(RULES.ask(request("Only prose, without any form.")))
        .isInstanceOf(Reply.Refused.class);
  }

  /** What this repository has of code and pages, as a user would try it with theirs. */
  @Test
  void makesValidPairsOfRealSources() {
    assertThat(madeOf("trainer-bridge/python/src", ".py")).isGreaterThan(20);
    assertThat(madeOf("flink-jobs/refine/src/main/java", ".java")).isGreaterThan(30);
    assertThat(madeOf("docs", ".md")).isGreaterThan(5);
  }

  private static long madeOf(String folder, String ending) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .limit(100)
          .filter(file -> RULES.ask(request(read(file))) instanceof Reply.Answered)
          .peek(file -> assertThat(pairs(read(file))).as("%s", file).isNotEmpty())
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<QaPair> pairs(String document) {
    Reply reply = RULES.ask(request(document));
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    Reply.Answered answered = (Reply.Answered) reply;
    assertThat(answered.tokens().orElseThrow()).isLessThanOrEqualTo(request(document).mostTokens());
    QaForm.Found found = new QaForm("instructions").read(answered.text(), answered.cut());
    assertThat(found).as(answered.text()).isInstanceOf(QaForm.Found.Pairs.class);
    return ((QaForm.Found.Pairs) found).pairs();
  }

  private static Request request(String document) {
    return new Request("rule", document, new Sampling(0, 2000, 1));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
