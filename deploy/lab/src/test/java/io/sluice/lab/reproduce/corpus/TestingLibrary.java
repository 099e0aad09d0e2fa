package io.sluice.lab.reproduce.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Domains of words that are drawn at random, each with 400 sections of some 1,000 bytes; those of
 * entries are lines with a colon behind their first word.
 */
public final class TestingLibrary implements Library {
  private final UnaryOperator<String> source;

  /** Domains with a text of their own. */
  public TestingLibrary() {
    this(domain -> domain);
  }

  /**
   * Domains with the texts of others.
   *
   * @param source whose text a domain has
   */
  TestingLibrary(UnaryOperator<String> source) {
    this.source = source;
  }

  @Override
  public String name() {
    return "testing";
  }

  @Override
  public List<String> domains() {
    return PinnedSource.all().stream().map(PinnedSource::domain).toList();
  }

  @Override
  public List<Section> sections(String domain) {
    Random random = new Random(source.apply(domain).hashCode());
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      String text =
          random.ints(200, 0, 10_000).mapToObj(Integer::toString).collect(Collectors.joining(" "));
      if (domain.equals("entries")) {
        text = text.replaceAll("(\\d+)((?: \\d+){1,9}) ?", "$1:$2\n");
      }
      sections.add(new Section("file-" + i, text));
    }
    return sections;
  }
}
