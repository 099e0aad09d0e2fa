package io.sluice.refine.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemplateTest {
  @TempDir private Path folder;

  @Test
  void thePapersAsksForAProblemOfADiscipline() {
    Template science = Template.of("science");

    assertThat(science.values()).containsExactly("discipline");
    assertThat(science.prompt("Stones fall.", Map.of("discipline", "physics")))
        .startsWith("Instruction")
        .contains("the following physics content to create a high-quality physics problem")
        .contains("physics Content\nStones fall.\n");
    assertThat(Template.of("code").values()).isEmpty();
    assertThat(Template.DISCIPLINES).hasSize(9);
  }

  @Test
  void valuesAreTakenAsTheyAre() {
    Template template = new Template("t", "{{a}} of {{document}}");

    assertThat(template.prompt("{{a}} $1 \\", Map.of("a", "{{document}}")))
        .isEqualTo("{{document}} of {{a}} $1 \\");
    assertThatThrownBy(() -> template.prompt("d", Map.of()))
        .isInstanceOf(BadInputException.class)
        .hasMessage("template t needs a value for {{a}}");
  }

  @Test
  void aDocumentIsFoundAgainInItsPrompt() {
    Template science = Template.of("science");
    Map<String, String> values = Map.of("discipline", "biology");

    assertThat(science.documentOf(science.prompt("a\n\nb", values), values)).isEqualTo("a\n\nb");
    assertThat(science.documentOf("another prompt", values)).isEqualTo("another prompt");
  }

  @Test
  void remarksOfAFileAreNotAsked() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("mine.txt"), "#: by me\r\n#: twice\r\nOf {{document}}\r\n");
    Template mine = Template.of(file.toString());

    assertThat(mine).isEqualTo(new Template("mine", "Of {{document}}"));
    assertThat(mine.hash()).isEqualTo(new Template("other", "Of {{document}}").hash());
    assertThat(mine.hash()).isNotEqualTo(new Template("mine", "On {{document}}").hash());
  }

  @Test
  void refusesWhatIsNoTemplate() throws IOException {
    Path file = folder.resolve("bad.txt");

    assertRefused(file, "--template must be science, code or a file of UTF-8: there is no");
    Files.writeString(file, "Nothing to fill");
    assertRefused(file, "a template must have a place {{document}}: bad");
    Files.writeString(file, "{{document}} {{Name}}");
    assertRefused(file, "named by lower-case letters, digits and '-': {{Name}} in bad");
    Files.write(file, new byte[] {'{', (byte) 0xff});
    assertRefused(file, "a file of UTF-8: ");
    Files.write(file, new byte[(64 << 10) + 1]);
    assertRefused(file, "of at most 65536 bytes");
  }

  private static void assertRefused(Path file, String reason) {
    assertThatThrownBy(() -> Template.of(file.toString()))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }
}
