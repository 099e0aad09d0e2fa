package io.sluice.corpus.store;

import io.sluice.corpus.file.FileChangedException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects of S3, or of what speaks its language, as a whole: each is there or is not. Locations are
 * {@code s3://BUCKET/KEY}. What fails does so as in {@link FileStores}.
 */
public final class S3Objects implements Closeable {
  private static final String BINARY = "application/octet-stream";

  private final S3Client client;
  private final S3Calls calls;

  private S3Objects(S3Client client, S3Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  /** Those of the store that the SDK's settings name. */
  public static S3Objects open(S3Settings settings) {
    return open(S3Use.WRITE, settings);
  }

  /** The same for who only reads them. */
  public static S3Objects openToRead(S3Settings settings) {
    return open(S3Use.FETCH, settings);
  }

  private static S3Objects open(S3Use use, S3Settings settings) {
    S3Client client = S3Clients.open();
    return new S3Objects(client, new S3Calls(S3Clients.endpoint(client), use, settings));
  }

  /** Takes the bytes of an object. */
  public interface Taker {
    /**
     * Takes them; what it throws that is no {@link IOException} ends the call.
     *
     * @throws IOException if they do not come, after which they may be given anew
     */
    void take(long length, InputStream bytes) throws IOException;
  }

  /**
   * Bytes to write.
   *
   * @param md5 of them, by which the store knows that they are those
   * @param stream gives them from their beginning, as often as it is asked
   */
  public record Content(long length, byte[] md5, Supplier<InputStream> stream) {}

  /** Writes an object, in the place of one that is there. */
  public void put(String location, Content content) throws IOException {
    S3Path path = S3Path.of(location);
    PutObjectRequest request =
        PutObjectRequest.builder()
            .bucket(path.bucket())
            .key(path.key())
            .contentMD5(Base64.getEncoder().encodeToString(content.md5()))
            .build();
    RequestBody body =
        RequestBody.fromContentProvider(content.stream()::get, content.length(), BINARY);
    calls.make(path, () -> client.putObject(request, body));
  }

  /**
   * The bytes of an object, of a long one the first.
   *
   * @return empty if there is none
   */
  public Optional<byte[]> read(String location, int most) throws IOException {
    S3Path path = S3Path.of(location);
    GetObjectRequest request =
        GetObjectRequest.builder().bucket(path.bucket()).key(path.key()).build();
    return calls.make(path, () -> read(request, most));
  }

  private Optional<byte[]> read(GetObjectRequest request, int most) throws IOException {
    try (ResponseInputStream<GetObjectResponse> in = client.getObject(request)) {
      byte[] bytes = in.readNBytes(most);
      in.abort();
      return Optional.of(bytes);
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    }
  }

  /**
   * Gives the bytes of an object to a taker, from the beginning at each try.
   *
   * @return whether there is such an object
   */
  public boolean take(String location, Taker taker) throws IOException {
    S3Path path = S3Path.of(location);
    GetObjectRequest request =
        GetObjectRequest.builder().bucket(path.bucket()).key(path.key()).build();
    return calls.make(path, () -> take(request, taker));
  }

  private boolean take(GetObjectRequest request, Taker taker) throws IOException {
    try (ResponseInputStream<GetObjectResponse> in = client.getObject(request)) {
      try {
        taker.take(in.response().contentLength(), in);
      } catch (IOException | RuntimeException e) {
        in.abort(); // what is left of a long one is not waited for
        throw e;
      }
      return true;
    } catch (NoSuchKeyException e) {
      return false;
    }
  }

  /** Locations of objects below a folder that were written before a time. */
  public List<String> writtenBefore(String folder, Instant time) throws FileChangedException {
    S3Path path = S3Path.of(folder);
    ListObjectsV2Request request =
        ListObjectsV2Request.builder().bucket(path.bucket()).prefix(path.key() + "/").build();
    return calls.make(
        path,
        () -> {
          List<String> found = new ArrayList<>();
          for (S3Object object : client.listObjectsV2Paginator(request).contents()) {
            if (object.lastModified().isBefore(time)) {
              found.add(path.withKey(object.key()).toString());
            }
          }
          return found;
        });
  }

  /** Deletes an object, if it is there. */
  public void delete(String location) throws IOException {
    S3Path path = S3Path.of(location);
    DeleteObjectRequest request =
        DeleteObjectRequest.builder().bucket(path.bucket()).key(path.key()).build();
    calls.make(path, () -> client.deleteObject(request));
  }

  @Override
  public void close() {
    client.close();
  }
}
