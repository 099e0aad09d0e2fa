package io.sluice.lab.reproduce.corpus;

import io.sluice.lab.demo.Passages;
import java.util.List;
import java.util.stream.IntStream;

/** A document of a corpus. */
public record Passage(String id, String text) {
  /** Documents of at most so many characters each, which together are this one. */
  public List<Passage> cut(int length) {
    List<String> texts = Passages.split(text, length);
    return IntStream.range(0, texts.size())
        .mapToObj(i -> new Passage(id + "." + i, texts.get(i)))
        .toList();
  }
}
