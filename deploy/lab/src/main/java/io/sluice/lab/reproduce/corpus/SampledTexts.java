package io.sluice.lab.reproduce.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.control.topics.TokenizerFiles;
import io.sluice.lab.demo.Passages;
import io.sluice.refine.twin.FilteredTwins;
import io.sluice.refine.twin.SignatureScheme;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Texts of one domain for one seed. A file, or a section of a long one, is in one part as a whole,
 * and what is like a passage before it, in whichever domain, is left out.
 *
 * @param test read once, at the end
 * @param target what gradients are compared with
 * @param train the rest, as much as was asked for
 */
public record SampledTexts(List<Passage> test, List<Passage> target, List<Passage> train) {
  private static final int TWINS = 400_000;
  private static final double FALSE_DROPS = 1e-4;

  /** Bytes of each part. */
  public record Amounts(int test, int target, int train) {}

  /**
   * Draws the parts of domains, what is tested first and what is trained on last, so that nothing
   * of either is like what came before.
   *
   * @param amounts by domain
   * @param seed of the order in which sections are drawn
   */
  public static Map<String, SampledTexts> draw(
      Library library, Map<String, Amounts> amounts, long seed) {
    FilteredTwins twins = FilteredTwins.of(SignatureScheme.DEFAULT, TWINS, FALSE_DROPS);
    Map<String, Drawing> drawings = new LinkedHashMap<>();
    amounts.forEach((name, asked) -> drawings.put(name, Drawing.of(library, name, asked, seed)));
    for (int part = 0; part < Drawing.PARTS; part++) {
      int number = part;
      drawings.forEach((name, drawing) -> drawing.draw(name, number, twins));
    }
    Map<String, SampledTexts> drawn = new LinkedHashMap<>();
    drawings.forEach((name, drawing) -> drawn.put(name, drawing.texts()));
    return drawn;
  }

  /** One domain's texts in the making. */
  private record Drawing(Amounts amounts, Iterator<Section> sections, List<List<Passage>> parts) {
    static final int PARTS = 3;

    static Drawing of(Library library, String domain, Amounts amounts, long seed) {
      List<Section> drawn = new ArrayList<>(library.sections(domain));
      drawn.sort(Comparator.comparing(section -> place(seed, domain, section)));
      return new Drawing(amounts, drawn.iterator(), new ArrayList<>());
    }

    void draw(String domain, int number, FilteredTwins twins) {
      int bytes = List.of(amounts.test, amounts.target, amounts.train).get(number);
      parts.add(part(domain, sections, bytes, twins));
    }

    SampledTexts texts() {
      return new SampledTexts(parts.get(0), parts.get(1), parts.get(2));
    }
  }

  private static List<Passage> part(
      String domain, Iterator<Section> sections, int bytes, FilteredTwins twins) {
    List<Passage> part = new ArrayList<>();
    long have = 0;
    while (have < bytes && sections.hasNext()) {
      Section section = sections.next();
      List<String> texts = Passages.split(section.text());
      for (int i = 0; i < texts.size() && have < bytes; i++) {
        if (!twins.add(SignatureScheme.DEFAULT.sign(texts.get(i)))) {
          part.add(new Passage(domain + "/" + section.name() + "#" + i, texts.get(i)));
          have += texts.get(i).getBytes(UTF_8).length;
        }
      }
    }
    return part;
  }

  private static String place(long seed, String domain, Section section) {
    return TokenizerFiles.sha256((seed + " " + domain + " " + section.name()).getBytes(UTF_8));
  }
}
