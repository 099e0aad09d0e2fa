package io.sluice.refine.classify;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a language model is asked, without examples, for the topic of a text, in the words of
 * Llama-3-SynE (appendix B, 'Prompt for Topic Labeling'). How topics are listed there is not said;
 * here they stand in a line, with semicolons between.
 *
 * @param topics to choose from, 2 to {@value Labels#MOST}, all different
 * @param characters from the start of a text that the prompt has at most
 */
public record LabelPrompt(List<Topic> topics, int characters) {
  /** Of an answer, which should be a topic and no more. */
  private static final int LONGEST_ANSWER = 1_000;

  /** Checks and copies. */
  public LabelPrompt {
    topics = List.copyOf(topics);
    if (topics.size() < 2 || topics.size() > Labels.MOST) {
      throw new IllegalArgumentException(
          "there must be 2 to " + Labels.MOST + " topics: " + topics.size());
    }
    if (new HashSet<>(topics.stream().map(Topic::name).toList()).size() < topics.size()
        || new HashSet<>(topics.stream().map(topic -> plain(topic.description())).toList()).size()
            < topics.size()) {
      throw new IllegalArgumentException("topics must be different: " + topics);
    }
    if (characters < TextFeatures.FEWEST_CHARACTERS || characters > TextFeatures.MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "characters must be from "
              + TextFeatures.FEWEST_CHARACTERS
              + " to "
              + TextFeatures.MOST_CHARACTERS
              + ": "
              + characters);
    }
  }

  /** The prompt for a text. */
  public String of(String text) {
    String listed = topics.stream().map(Topic::description).collect(Collectors.joining("; "));
    String head = new TextFeatures(1, characters).head(text).strip();
    return """
        I am categorizing a series of articles according to the following topics. Next, I will \
        give you an article, please select only one topic that the article is the most related to:
        [Topics]: %s
        [Article]: %s
        Please only return the most related topic:"""
        .formatted(listed, head);
  }

  /**
   * The topic that an answer names, by its description or name, whatever case and signs are around
   * it: if it names several, the one whose description has all others in it; otherwise none.
   */
  public Optional<Topic> chosen(String answer) {
    String said = plain(answer.substring(0, Math.min(answer.length(), LONGEST_ANSWER)));
    List<Topic> named =
        topics.stream()
            .filter(
                topic -> has(said, plain(topic.description())) || has(said, plain(topic.name())))
            .toList();
    return named.stream()
        .filter(
            topic ->
                named.stream()
                    .allMatch(other -> has(plain(topic.description()), plain(other.description()))))
        .findFirst();
  }

  private static boolean has(String text, String part) {
    return (" " + text + " ").contains(" " + part + " ");
  }

  private static String plain(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{M}\\p{N}]+", " ").strip();
  }
}
