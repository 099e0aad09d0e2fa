package io.sluice.refine.classify;

import java.util.List;
import java.util.stream.Stream;

/**
 * The topics of Llama-3-SynE (table 5), which follow the subjects of two benchmarks. A text that is
 * of none of them is of the last, 'Others'.
 */
public enum TopicPresets {
  /** Of web pages in English, after MMLU. */
  ENGLISH(
      "Mathematics and Physics",
      "Computer Science and Engineering",
      "Biology and Chemistry",
      "History and Geography",
      "Law and Policy",
      "Philosophy and Logic",
      "Economics and Business",
      "Psychology and Sociology",
      "Security and International Relations",
      "Medicine and Health",
      "Others"),

  /** Of web pages in Chinese, after CMMLU. */
  CHINESE(
      "Biology and Chemistry",
      "Computer Science and Engineering",
      "Economics and Business",
      "History and Geography",
      "Law and Policy",
      "Mathematics and Physics",
      "Medicine and Health",
      "Philosophy Arts and Culture",
      "Project and Practical Management",
      "Psychology Sociology and Education",
      "Others");

  private final List<Topic> topics;

  TopicPresets(String... descriptions) {
    this.topics = Stream.of(descriptions).map(Topic::described).toList();
  }

  /** The topics, in the paper's order; a name is its description with hyphens. */
  public List<Topic> topics() {
    return topics;
  }
}
