package io.sluice.corpus.store;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.corpus.file.FileChangedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Calls of a store: what may pass is tried again, at first soon and then every {@link #LONGEST},
 * and what will not pass says what is to be done. What a store says in words is not repeated.
 *
 * @param endpoint where the store is
 * @param use what it is asked for
 */
record S3Calls(String endpoint, S3Use use, S3Settings settings) {
  private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** Something that is asked of a store. */
  interface Call<T> {
    T make() throws IOException;
  }

  /**
   * Makes a call.
   *
   * @param what bucket and key that it is about
   * @throws BadInputException if the store refuses it
   * @throws FileChangedException if the object is another now, or gone
   * @throws UnreachableException if the store does not answer in time
   */
  <T> T make(S3Path what, Call<T> call) throws FileChangedException {
    long start = System.nanoTime();
    Duration pause = SHORTEST;
    while (true) {
      try {
        return call.make();
      } catch (FileChangedException e) {
        throw e;
      } catch (AwsServiceException e) {
        requirePassing(what, e);
        waitOrFail(what, e, start, pause);
      } catch (SdkException | IOException | UncheckedIOException e) {
        waitOrFail(what, e, start, pause);
      }
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
  }

  private void requirePassing(S3Path what, AwsServiceException e) throws FileChangedException {
    int status = e.statusCode();
    if (PASSING.contains(status) || e.isThrottlingException()) {
      return;
    }
    String code = code(e);
    String said = what + ": the store at " + endpoint + " says " + status + " " + code + ": ";
    if (status == 412) {
      throw FileChangedException.changed(
          what + " was changed while it was read; what was read of it before is of one version");
    }
    if (status == 416) {
      throw FileChangedException.changed(what + " has not the size that it had");
    }
    if (code.equals("NoSuchBucket")) {
      throw new BadInputException(
          said
              + "there is no bucket '"
              + what.bucket()
              + "'. Its name, AWS_REGION and AWS_ENDPOINT_URL say which one it is",
          e);
    }
    if (code.equals("NoSuchKey")) {
      throw FileChangedException.gone(what + " is gone since it was found");
    }
    if (status == 401 || status == 403) {
      throw new BadInputException(
          said
              + "the credentials must have "
              + use.rights()
              + "; they are those of AWS_ACCESS_KEY_ID, AWS_PROFILE or this machine",
          e);
    }
    throw new BadInputException(
        said + "bucket, AWS_REGION and AWS_ENDPOINT_URL must belong together", e);
  }

  private void waitOrFail(S3Path what, Exception e, long start, Duration pause) {
    String why =
        e instanceof AwsServiceException said ? said.statusCode() + " " + code(said) : innermost(e);
    Duration waited = Duration.ofNanos(System.nanoTime() - start);
    if (waited.plus(pause).compareTo(settings.patience()) > 0) {
      throw new UnreachableException(
          what
              + ": the store at "
              + endpoint
              + " does not answer since "
              + waited.toSeconds()
              + " s ("
              + why
              + ")"
              + use.then(),
          e);
    }
    if (pause.equals(SHORTEST)) {
      settings.notice().accept(what + ": waiting for the store at " + endpoint + " (" + why + ")");
    }
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("waiting for " + what + " was interrupted", interrupted);
    }
  }

  private static String code(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null || details.errorCode() == null ? "" : details.errorCode();
    return code.matches("[A-Za-z0-9._-]{1,100}") ? code : "without a code";
  }

  private static String innermost(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner.getClass().getSimpleName() + ": " + inner.getMessage();
  }
}
