package io.sluice.corpus.store;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.FileStore;
import io.sluice.corpus.file.PathPattern;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects of S3, or of what speaks its language. A path is an object, if there is one of that key,
 * else all objects below it; objects are in the order of their keys.
 */
final class S3Store implements FileStore, Closeable {
  private static final int MOST_KEYS = 1000;

  private final S3Client client;
  private final S3Calls calls;

  private S3Store(S3Client client, S3Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  /** The store that the SDK's settings name. */
  static S3Store open(S3Settings settings) {
    S3Client client = S3Clients.open();
    return new S3Store(client, new S3Calls(S3Clients.endpoint(client), settings));
  }

  S3Calls calls() {
    return calls;
  }

  /** Some bytes of the version that was found; must be called by {@link S3Calls#make}. */
  ResponseInputStream<GetObjectResponse> get(S3File file, long from, long length) {
    GetObjectRequest.Builder request =
        GetObjectRequest.builder()
            .bucket(file.path().bucket())
            .key(file.path().key())
            .ifMatch(file.version());
    if (length < file.bytes()) {
      request.range("bytes=" + from + "-" + (from + length - 1));
    }
    return client.getObject(request.build());
  }

  @Override
  public StoredFile find(String location) throws IOException {
    S3Path path = S3Path.of(location);
    try {
      HeadObjectResponse head =
          calls.make(
              path, () -> client.headObject(ask -> ask.bucket(path.bucket()).key(path.key())));
      return new S3File(this, path, head.contentLength(), head.eTag());
    } catch (FileChangedException e) {
      throw new NoSuchFileException(location);
    }
  }

  @Override
  public SourceFiles list(String path, boolean gitignore) {
    S3Path named = S3Path.of(path);
    return PathPattern.isOne(named.key()) ? matching(named) : objectOrFolder(named);
  }

  private SourceFiles matching(S3Path named) {
    PathPattern pattern = PathPattern.of(named.key());
    return below(named.withKey(pattern.folder()), pattern::has);
  }

  private SourceFiles objectOrFolder(S3Path named) {
    if (!named.key().isEmpty() && !named.key().endsWith("/")) {
      // Of all keys that begin with this one, it is the first.
      List<S3Object> first = page(named, named.key(), 1, null).contents();
      if (!first.isEmpty() && first.get(0).key().equals(named.key())) {
        return new SourceFiles(
            List.of(new SourceFile(file(named, first.get(0)), named.name(), true)), 0, 0);
      }
    }
    return below(named, key -> true);
  }

  private SourceFiles below(S3Path folder, Predicate<String> wanted) {
    boolean whole = folder.key().isEmpty() || folder.key().endsWith("/");
    String prefix = whole ? folder.key() : folder.key() + "/";
    List<SourceFile> files = new ArrayList<>();
    long hidden = 0;
    String next = null;
    do {
      ListObjectsV2Response page = page(folder, prefix, MOST_KEYS, next);
      for (S3Object object : page.contents()) {
        String rest = object.key().substring(prefix.length());
        if (rest.isEmpty() || rest.endsWith("/") || !wanted.test(object.key())) {
          continue;
        }
        if (rest.startsWith(".") || rest.contains("/.")) {
          hidden++;
        } else {
          String id = folder.name() + "/" + rest;
          files.add(new SourceFile(file(folder.withKey(object.key()), object), id, false));
        }
      }
      next = page.nextContinuationToken();
    } while (next != null);
    files.sort(Comparator.comparing(SourceFile::origin));
    return new SourceFiles(files, hidden, 0);
  }

  private ListObjectsV2Response page(
      S3Path where, String prefix, int most, @Nullable String token) {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(where.bucket())
            .prefix(prefix)
            .maxKeys(most)
            .continuationToken(token)
            .build();
    try {
      return calls.make(where, () -> client.listObjectsV2(request));
    } catch (FileChangedException e) {
      throw new BadInputException("PATH must exist: " + where + ": " + e.getMessage(), e);
    }
  }

  private S3File file(S3Path path, S3Object object) {
    return new S3File(this, path, object.size(), object.eTag());
  }

  @Override
  public void close() {
    client.close();
  }
}
