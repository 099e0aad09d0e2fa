package io.sluice.control.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** A body of at most so many bytes: beyond, nothing more is taken, and it has failed. */
public final class LimitedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final int most;
  private long taken;
  private @Nullable Subscription subscription;

  /**
   * A body that has not begun.
   *
   * @param most bytes
   */
  public LimitedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    whole.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    taken += parts.stream().mapToLong(ByteBuffer::remaining).sum();
    if (taken <= most) {
      whole.onNext(parts);
    } else if (subscription != null) {
      subscription.cancel();
      subscription = null;
      whole.onError(new IOException("its answer has more than " + most + " bytes"));
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.onError(failure);
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}
