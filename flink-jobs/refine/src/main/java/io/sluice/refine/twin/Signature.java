package io.sluice.refine.twin;

import io.sluice.refine.text.Words;

/**
 * What is remembered of a document to know it, or one like it, again: 128 bits of the SHA-256 of
 * its text in UTF-8, and components of a MinHash of its n-grams. Immutable.
 *
 * <p>The same text is the same bytes, not the same words: texts that differ in punctuation or case
 * alone are near twins, with a similarity of 1. A text without words has no components, and is near
 * to none. Broken surrogates count as question marks.
 */
public final class Signature {
  private final SignatureScheme scheme;
  private final long text;
  private final long check;
  private final byte[] components;

  Signature(SignatureScheme scheme, long text, long check, byte[] components) {
    this.scheme = scheme;
    this.text = text;
    this.check = check;
    this.components = components;
  }

  /** How it was made. */
  public SignatureScheme scheme() {
    return scheme;
  }

  /**
   * The same in other bands.
   *
   * @throws IllegalArgumentException if the other scheme has not as many words and components
   */
  public Signature in(SignatureScheme other) {
    if (other.words() != scheme.words() || other.components() != scheme.components()) {
      throw new IllegalArgumentException("components of " + scheme + " are not those of " + other);
    }
    return new Signature(other, text, check, components);
  }

  /** The first 64 bits of the text's hash. */
  public long text() {
    return text;
  }

  /** The 64 bits of the text's hash that follow. */
  long check() {
    return check;
  }

  /** Two bytes for each component; not a copy. */
  byte[] components() {
    return components;
  }

  /** Whether there are words, and so n-grams. */
  public boolean hasWords() {
    return components.length > 0;
  }

  /** Hash of a band's components, from 0; only where there are words. */
  public long band(int band) {
    long hash = band;
    int first = 2 * band * scheme.rows();
    for (int at = first; at < first + 2 * scheme.rows(); at += 2) {
      hash = Words.mixed(hash * 0x9E3779B97F4A7C15L + component(components, at));
    }
    return hash;
  }

  /** Whether both are of the same text. */
  public boolean sameText(Signature other) {
    return text == other.text && check == other.check;
  }

  /**
   * The estimated Jaccard similarity of the n-grams, as the share of components that agree; 0 if
   * either has no words.
   */
  public double similarity(Signature other) {
    if (!hasWords() || !other.hasWords()) {
      return 0;
    }
    int same = 0;
    for (int at = 0; at < components.length; at += 2) {
      same += component(components, at) == component(other.components, at) ? 1 : 0;
    }
    return same / (double) scheme.components();
  }

  /** The signature as bytes, for {@link SignatureScheme#read}. */
  public byte[] bytes() {
    return scheme.write(this);
  }

  private static int component(byte[] components, int at) {
    return (components[at] & 0xff) << 8 | (components[at + 1] & 0xff);
  }
}
