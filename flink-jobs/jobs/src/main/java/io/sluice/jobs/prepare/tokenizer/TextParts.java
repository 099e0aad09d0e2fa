package io.sluice.jobs.prepare.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;

/**
 * Parts of a long text, whose tokens follow each other. On a thread of a {@code ForkJoinPool} they
 * become tokens on all of its threads; elsewhere one after the other.
 */
final class TextParts {
  private final List<Part> parts = new ArrayList<>();

  /** Makes tokens of the text from one place to another; on many threads at once. */
  interface Encoder {
    byte[] encode(int from, int to);
  }

  private record Part(int from, int to) {}

  /** Adds the next part. */
  void add(int from, int to) {
    parts.add(new Part(from, to));
  }

  /** Tokens of all parts in their order. */
  byte[] encode(Encoder encoder) {
    if (parts.size() == 1 || !ForkJoinTask.inForkJoinPool()) {
      return TokenBytes.joined(
          parts.stream().map(part -> encoder.encode(part.from, part.to)).toList());
    }
    List<RecursiveTask<byte[]>> tasks = new ArrayList<>();
    parts.forEach(part -> tasks.add(new Encoding(encoder, part)));
    ForkJoinTask.invokeAll(tasks);
    return TokenBytes.joined(tasks.stream().map(ForkJoinTask::getRawResult).toList());
  }

  private static final class Encoding extends RecursiveTask<byte[]> {
    private static final long serialVersionUID = 1L;

    private final transient Encoder encoder;
    private final transient Part part;

    private Encoding(Encoder encoder, Part part) {
      this.encoder = encoder;
      this.part = part;
    }

    @Override
    protected byte[] compute() {
      return encoder.encode(part.from, part.to);
    }
  }
}
