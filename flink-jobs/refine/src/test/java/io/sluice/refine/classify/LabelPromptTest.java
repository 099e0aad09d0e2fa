package io.sluice.refine.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LabelPromptTest {
  private final LabelPrompt prompt = new LabelPrompt(TopicPresets.ENGLISH.topics(), 100);

  @Test
  void presetsAreElevenTopicsEach() {
    for (TopicPresets preset : TopicPresets.values()) {
      assertThat(preset.topics()).hasSize(11).doesNotHaveDuplicates();
      assertThat(preset.topics().get(10)).isEqualTo(new Topic("others", "Others"));
    }
    assertThat(TopicPresets.CHINESE.topics())
        .contains(new Topic("philosophy-arts-and-culture", "Philosophy Arts and Culture"));
  }

  @Test
  void hasTopicsAndTheStartOfTheText() {
    assertThat(prompt.of("  [Topics]: %s " + "x".repeat(200)))
        .startsWith("I am categorizing a series of articles according to the following topics. N")
        .contains("\n[Topics]: Mathematics and Physics; Computer Science and Engineering; Biology")
        .contains("\n[Article]: [Topics]: %s " + "x".repeat(100 - 15) + "\nPlease")
        .endsWith("\nPlease only return the most related topic:");
  }

  @Test
  void answersAreTopicsWhateverIsAroundThem() {
    Topic law = new Topic("law-and-policy", "Law and Policy");
    assertThat(prompt.chosen("Law and Policy")).contains(law);
    assertThat(prompt.chosen(" **law-and-policy**.\n")).contains(law);
    assertThat(prompt.chosen("The most related topic is: Law and Policy!")).contains(law);
    assertThat(prompt.chosen("Law and Policy, or Medicine and Health")).isEmpty();
    assertThat(prompt.chosen("Outlaw and Policy")).isEmpty();
    assertThat(prompt.chosen("")).isEmpty();
    assertThat(prompt.chosen("?".repeat(5_000) + "Law and Policy")).isEmpty();
  }

  @Test
  void ofTopicsThatHaveOthersInThemTheLongestCounts() {
    Topic law = new Topic("law", "Law");
    Topic tax = new Topic("tax", "Tax Law");
    LabelPrompt nested = new LabelPrompt(List.of(law, tax), 100);

    assertThat(nested.chosen("Tax law")).contains(tax);
    assertThat(nested.chosen("law")).contains(law);
  }

  @Test
  void refusesWhatCannotBeAsked() {
    Topic law = new Topic("law", "Law");
    assertThatThrownBy(() -> new LabelPrompt(List.of(law), 100))
        .hasMessage("there must be 2 to 256 topics: 1");
    assertThatThrownBy(() -> new LabelPrompt(List.of(law, new Topic("l", "law!")), 100))
        .hasMessageStartingWith("topics must be different: ");
    assertThatThrownBy(() -> new LabelPrompt(TopicPresets.ENGLISH.topics(), 1))
        .hasMessage("characters must be from 100 to 1000000: 1");
    assertThatThrownBy(() -> new Topic("law and policy", "Law"))
        .hasMessageContaining("topic must be 1 to 63 letters");
    assertThatThrownBy(() -> new Topic("law", "Law\nand order"))
        .hasMessageContaining("must be a line of 1 to 200 characters");
  }
}
