package io.sluice.models.tokenizer;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;

/**
 * A tokenizer of the library {@code tokenizers}, outside the heap. Many threads may use it at once:
 * the library changes nothing of it but a cache that it locks.
 *
 * <p>{@code HuggingFaceTokenizer} of DJL brings eight arrays and a string for each token over from
 * the library; here the ids alone come.
 */
public final class HuggingFaceLibrary implements AutoCloseable {
  private static final TokenizersLibrary LIBRARY = TokenizersLibrary.LIB;

  /** Whoever uses the tokenizer holds the shared part: what is freed must not be used. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private volatile long handle;

  /**
   * Makes the tokenizer.
   *
   * @param json a {@code tokenizer.json}
   * @throws RuntimeException as the library gives it, if it is none
   * @throws IllegalStateException if the library cannot be loaded
   */
  public HuggingFaceLibrary(String json) {
    NativeTokenizers.load();
    handle = LIBRARY.createTokenizerFromString(json);
  }

  /** Ids of the text, without a template's special tokens. */
  public long[] encode(String text) {
    return use(
        tokenizer -> {
          long encoding = LIBRARY.encode(tokenizer, text, false);
          try {
            return LIBRARY.getTokenIds(encoding);
          } finally {
            LIBRARY.deleteEncoding(encoding);
          }
        });
  }

  /**
   * Tokens of the text, with a template's special tokens, and what the file says of their number.
   */
  Tokens tokens(String text) {
    return use(
        tokenizer -> {
          long encoding = LIBRARY.encode(tokenizer, text, true);
          try {
            return new Tokens(LIBRARY.getTokenIds(encoding), LIBRARY.getTypeIds(encoding));
          } finally {
            LIBRARY.deleteEncoding(encoding);
          }
        });
  }

  /** Text of the ids, without special tokens. */
  public String decode(long[] ids) {
    return use(tokenizer -> LIBRARY.decode(tokenizer, ids, true));
  }

  /** Waits for those who use it; whoever comes later is refused. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (handle != 0) {
        LIBRARY.deleteTokenizer(handle);
        handle = 0;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Refuses whoever comes after it was closed. */
  public void requireOpen() {
    if (handle == 0) {
      throw new IllegalStateException("the tokenizer is closed");
    }
  }

  private <T> T use(LongFunction<T> action) {
    lock.readLock().lock();
    try {
      requireOpen();
      return action.apply(handle);
    } finally {
      lock.readLock().unlock();
    }
  }
}
