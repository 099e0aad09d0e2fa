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
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
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
    return new S3Store(client, new S3Calls(S3Clients.endpoint(client), S3Use.READ, settings));
  }

  S3Calls calls() {
    return calls;
  }

  /** Some bytes of the version that was found; must be called by {@link S3Calls#make}. */
  ResponseInputStream<GetObjectResponse> get(S3File file, long from, long length)
      throws FileChangedException {
    GetObjectRequest.Builder request =
        GetObjectRequest.builder()
            .bucket(file.path().bucket())
            .key(file.path().key())
            .ifMatch(file.version());
    if (length < file.bytes()) {
      request.range("bytes=" + from + "-" + (from + length - 1));
    }
    ResponseInputStream<GetObjectResponse> in = client.getObject(request.build());
    if (size(in.response()).filter(size -> size != file.bytes()).isPresent()) {
      in.abort();
      throw FileChangedException.changed(file.path() + " has not the size that it had");
    }
    return in;
  }

  /** The size of a whole object, where a response says it. */
  private static Optional<Long> size(GetObjectResponse said) {
    String range = said.contentRange();
    String size =
        range == null
            ? String.valueOf(said.contentLength())
            : range.substring(range.lastIndexOf('/') + 1);
    return size.matches("\\d{1,18}") ? Optional.of(Long.valueOf(size)) : Optional.empty();
  }

  /** An object of a version that was found before; nothing is asked of the store. */
  StoredFile version(String location, long bytes, String version) {
    return new S3File(this, S3Path.of(location), bytes, version);
  }

  @Override
  public StoredFile find(String location) throws IOException {
    S3Path path = S3Path.of(location);
    return object(path).orElseThrow(() -> new NoSuchFileException(location));
  }

  private Optional<S3File> object(S3Path path) {
    // Of all keys that begin with this one, it is the first.
    return page(path, path.key(), 1, null).contents().stream()
        .filter(first -> first.key().equals(path.key()))
        .map(first -> file(path, first))
        .findFirst();
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
      Optional<S3File> object = object(named);
      if (object.isPresent()) {
        return new SourceFiles(List.of(new SourceFile(object.get(), named.name(), true)), 0, 0);
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
