package io.sluice.corpus.inplace;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.file.LocalFile;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.tokens.FileWindow;
import io.sluice.corpus.tokens.MegatronIndex;
import io.sluice.corpus.tokens.NumpyArray;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.FileInPlace;
import io.sluice.schema.segment.RowFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** Files of token ids as rows of a dataset's blocks. */
public final class RowFiles {
  private static final int AHEAD = 64 << 10;

  private final DatasetSpec spec;
  private final RowFormat format;

  /** Files with rows of a dataset. */
  public RowFiles(DatasetSpec spec) {
    this.spec = spec;
    this.format = RowFormat.of(spec);
  }

  /**
   * Opens a file; empty if it is none of itself, but belongs to another.
   *
   * @throws BadInputException naming it, if its bytes cannot be rows of the dataset
   */
  public Optional<RowFile> open(SourceFile found) {
    try {
      String name = found.file().name().toLowerCase(Locale.ROOT);
      if (name.endsWith(".idx")) {
        return Optional.of(megatron(found));
      }
      if (name.endsWith(".npy")) {
        return Optional.of(numpy(found));
      }
      if (name.endsWith(".bin") && !found.named()) {
        return Optional.empty();
      }
      throw new IOException(
          "a file in place must be an .npy file, or an .idx file with its .bin beside it");
    } catch (IOException e) {
      throw new BadInputException(found.origin() + ": " + e.getMessage(), e);
    }
  }

  private RowFile megatron(SourceFile found) throws IOException {
    StoredFile ids = MegatronIndex.ids(found.file());
    Path path = Path.of(ids.location());
    FileInPlace file = RowFile.now(path);
    file.setIndexSha256(sha256(found.file()));
    MegatronIndex index = MegatronIndex.open(found.file());
    try {
      requireType(index.type());
      requireGapless(index, path, file.getBytes());
      return overlapping(
          path, file, found.id(), ids, 0, file.getBytes(), new MegatronDocuments(index));
    } catch (IOException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  private static void requireGapless(MegatronIndex index, Path path, long bytes)
      throws IOException {
    long end = 0;
    for (long each = 0; each < index.sequences(); each++) {
      long length = index.length(each);
      if (length < 0 || index.place(each) != end) {
        throw new IOException(
            ("sequence %d must follow the one before, from byte %d on: found %d ids from byte %d"
                    + " on; such files can be ingested")
                .formatted(each, end, length, index.place(each)));
      }
      end += length * index.type().bytes();
    }
    if (end != bytes) {
      throw new IOException(
          "the index is not of %s: it says that there are %d bytes, and there are %d"
              .formatted(path, end, bytes));
    }
  }

  private RowFile numpy(SourceFile found) throws IOException {
    Path path = Path.of(LocalFile.location(Path.of(found.file().location())));
    FileInPlace file = RowFile.now(path);
    NumpyArray array;
    try (FileWindow window = new FileWindow(found.file(), AHEAD)) {
      array = NumpyArray.of(window);
    }
    requireType(array.type());
    if (array.columns() == format.tokens()) {
      return new RowFile(
          path,
          file,
          found.id(),
          found.file(),
          array.begin(),
          format.bytes(),
          array.rows(),
          0,
          new EvenDocuments(format.width(), format.tokens(), format.tokens()));
    }
    Documents documents =
        array.columns() == 0
            ? new EndedDocuments(format.width(), spec.getEndOfDocument())
            : new EvenDocuments(format.width(), array.columns(), format.labels());
    return overlapping(
        path, file, found.id(), found.file(), array.begin(), file.getBytes(), documents);
  }

  /** Rows that share a token with the next. */
  private RowFile overlapping(
      Path path,
      FileInPlace file,
      String source,
      StoredFile ids,
      long begin,
      long end,
      Documents documents) {
    long tokens = (end - begin) / format.width();
    long rows = Math.max(0, (tokens - 1) / format.labels());
    long used = rows == 0 ? 0 : rows * format.labels() + 1;
    int stride = format.labels() * format.width();
    return new RowFile(path, file, source, ids, begin, stride, rows, tokens - used, documents);
  }

  private void requireType(TokenType type) throws IOException {
    if (type.bytes() != format.width()) {
      throw new IOException(
          "ids must have %d bytes, as those of dataset '%s' have, to be in place: found %s"
              .formatted(format.width(), spec.getName(), type));
    }
  }

  private static String sha256(StoredFile file) throws IOException {
    try (InputStream in =
        new DigestInputStream(file.open(0), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(((DigestInputStream) in).getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
