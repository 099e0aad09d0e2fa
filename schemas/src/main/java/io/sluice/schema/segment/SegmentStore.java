package io.sluice.schema.segment;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where the objects of segments are: a folder that the service and the trainers have under one
 * path. Objects are named by their dataset and the SHA-256 of their bytes.
 *
 * @param folder absolute
 */
public record SegmentStore(Path folder) {
  /** Bytes at a multiple of which data begins in an object. */
  public static final int DATA_ALIGNMENT = 4096;

  /** Bytes at a multiple of which a side begins in an object. */
  public static final int SIDE_ALIGNMENT = SideHeader.ALIGNMENT;

  /** What an object may be called. */
  private static final Pattern OBJECT =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}/[0-9a-f]{64}\\.(rows|side)");

  private static final String FILE = "file://";

  /**
   * The store of a URI: what stands behind {@code file://} is its path, as it is.
   *
   * @throws IllegalArgumentException saying what it must be, if it is not that
   */
  public static SegmentStore of(String uri) {
    try {
      Path folder = Path.of(uri.startsWith(FILE) ? uri.substring(FILE.length()) : "");
      if (folder.isAbsolute() && folder.normalize().equals(folder)) {
        return new SegmentStore(folder);
      }
    } catch (InvalidPathException e) {
      throw invalid(uri);
    }
    throw invalid(uri);
  }

  private static IllegalArgumentException invalid(String uri) {
    return new IllegalArgumentException(
        "store must be file:///ABSOLUTE/PATH without '..'"
            + (uri.startsWith("s3://") ? "; object stores cannot be one yet" : "")
            + ": found '"
            + uri
            + "'");
  }

  /** The name of a dataset's object with data, by the digest of its bytes. */
  public static String rows(String dataset, String sha256) {
    return dataset + "/" + sha256 + ".rows";
  }

  /** The name of a dataset's object with sides, by the digest of its bytes. */
  public static String side(String dataset, String sha256) {
    return dataset + "/" + sha256 + ".side";
  }

  /**
   * The file of an object.
   *
   * @throws IllegalArgumentException if no object is called so
   */
  public Path file(String object) {
    if (!OBJECT.matcher(object).matches()) {
      throw new IllegalArgumentException(
          "an object must be called DATASET/SHA256.rows or .side: found '" + object + "'");
    }
    return folder.resolve(object);
  }
}
