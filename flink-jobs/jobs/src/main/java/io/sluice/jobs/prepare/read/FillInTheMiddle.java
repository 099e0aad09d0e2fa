package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.ChainHash;
import io.sluice.schema.DatasetSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Tokens of a document that may be learnt with a gap: its text is cut at two places into prefix,
 * middle and suffix, each is made tokens by itself, and the middle goes to the end, behind tokens
 * that say what comes. Bavarian et al., "Efficient Training of Language Models to Fill in the
 * Middle" (2022), by document and by character; the suffix comes first (SPM) in the variant that
 * shares its beginning with PSM.
 *
 * <pre>
 *   PSM   [prefix] prefix [suffix] suffix [middle] middle
 *   SPM   [prefix] [suffix] suffix [middle] prefix middle
 * </pre>
 *
 * <p>Version 1: with h = mix(seed + fnv("sluice.fim.1", text)) and u(i) the upper 53 bits of mix(h
 * + i) as a fraction of 2^53, a text of n > 0 code points has a gap iff u(0) < rate, SPM iff u(1) <
 * spm, and is cut behind ⌊u(2) (n + 1)⌋ and ⌊u(3) (n + 1)⌋ code points. So it follows from the
 * content alone, whichever thread looks at it.
 */
final class FillInTheMiddle {
  private static final long SALT =
      ChainHash.fnv(ChainHash.FNV_OFFSET, "sluice.fim.1".getBytes(StandardCharsets.UTF_8));
  private static final double UNIT = 0x1p-53;

  private final DatasetSpec spec;
  private final Tokenizer tokenizer;

  FillInTheMiddle(DatasetSpec spec, Tokenizer tokenizer) {
    this.spec = spec;
    this.tokenizer = tokenizer;
  }

  /** Tokens of the text, with or without a gap. */
  byte[] encode(String text) {
    if (spec.getFimRate() == 0 || text.isEmpty()) {
      return tokenizer.encode(text);
    }
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    long random = ChainHash.mix(spec.getSeed() + ChainHash.fnv(SALT, content));
    return draw(random, 0) < spec.getFimRate() ? gap(text, random) : tokenizer.encode(text);
  }

  private byte[] gap(String text, long random) {
    int places = text.codePointCount(0, text.length()) + 1;
    int one = (int) (draw(random, 2) * places);
    int other = (int) (draw(random, 3) * places);
    int from = text.offsetByCodePoints(0, Math.min(one, other));
    int to = text.offsetByCodePoints(from, Math.abs(one - other));
    byte[] prefix = tokenizer.encode(text.substring(0, from));
    byte[] middle = tokenizer.encode(text.substring(from, to));
    byte[] suffix = tokenizer.encode(text.substring(to));
    return draw(random, 1) < spec.getFimSpm()
        ? TokenBytes.joined(List.of(sentinel(0), sentinel(1), suffix, sentinel(2), prefix, middle))
        : TokenBytes.joined(List.of(sentinel(0), prefix, sentinel(1), suffix, sentinel(2), middle));
  }

  private static double draw(long random, int number) {
    return (ChainHash.mix(random + number) >>> 11) * UNIT;
  }

  private byte[] sentinel(int which) {
    return TokenBytes.of(spec.getFimTokens().get(which), spec.getTokenWidth());
  }
}
