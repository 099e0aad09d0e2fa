package io.sluice.control.error;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a broker or a job manager answers. */
public final class Answers {
  private Answers() {}

  /**
   * Waits for an answer.
   *
   * @param what was asked, such as "listing the topics"
   * @throws UnreachableException if it fails, the time passes, or the thread is interrupted
   */
  public static <T> T await(Future<T> answer, Duration patience, String what) {
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new UnreachableException(what + " failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new UnreachableException(what + " took more than " + patience.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException(what + " was interrupted", e);
    }
  }
}
