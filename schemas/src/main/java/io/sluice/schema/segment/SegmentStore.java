package io.sluice.schema.segment;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where the objects of segments are: a folder that the service and the trainers have under one
 * path, or a bucket. Objects are named by their dataset and the SHA-256 of their bytes.
 *
 * @param uri {@code file://} and an absolute path as it is, or {@code s3://BUCKET} with or without
 *     a prefix
 */
public record SegmentStore(String uri) {
  /** Bytes at a multiple of which data begins in an object. */
  public static final int DATA_ALIGNMENT = 4096;

  /** Bytes at a multiple of which a side begins in an object. */
  public static final int SIDE_ALIGNMENT = SideHeader.ALIGNMENT;

  /** What an object may be called. */
  private static final Pattern OBJECT =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}/[0-9a-f]{64}\\.(rows|side)");

  private static final String FILE = "file://";

  private static final Pattern BUCKET =
      Pattern.compile("s3://[A-Za-z0-9][A-Za-z0-9._-]{1,254}(/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*");

  private static final int LONGEST_BUCKET = 700;

  /** Checks what it is; throws as {@link #of} does. */
  public SegmentStore {
    boolean bucket = BUCKET.matcher(uri).matches() && uri.length() <= LONGEST_BUCKET;
    if (!bucket && !isFolder(uri)) {
      throw new IllegalArgumentException(
          "store must be file:///ABSOLUTE/PATH without '..', or s3://BUCKET/PREFIX of parts of"
              + " A-Za-z0-9._=- that begin with no '.', in at most "
              + LONGEST_BUCKET
              + " characters: found '"
              + uri
              + "'");
    }
  }

  private static boolean isFolder(String uri) {
    try {
      Path folder = Path.of(uri.startsWith(FILE) ? uri.substring(FILE.length()) : "");
      return folder.isAbsolute() && folder.normalize().equals(folder);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * The store of a URI: what stands behind {@code file://} is its path, as it is.
   *
   * @throws IllegalArgumentException saying what it must be, if it is not that
   */
  public static SegmentStore of(String uri) {
    return new SegmentStore(uri);
  }

  /** Whether it is an object store's; else it is a folder. */
  public boolean isBucket() {
    return !uri.startsWith(FILE);
  }

  /**
   * The folder that it is.
   *
   * @throws IllegalStateException if it {@link #isBucket}
   */
  public Path folder() {
    if (isBucket()) {
      throw new IllegalStateException(uri + " is no folder");
    }
    return Path.of(uri.substring(FILE.length()));
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
   * @throws IllegalStateException if it {@link #isBucket}
   */
  public Path file(String object) {
    requireName(object);
    return folder().resolve(object);
  }

  /**
   * The URI of an object.
   *
   * @throws IllegalArgumentException if no object is called so
   */
  public String location(String object) {
    requireName(object);
    return uri + (uri.endsWith("/") ? "" : "/") + object;
  }

  private static void requireName(String object) {
    if (!OBJECT.matcher(object).matches()) {
      throw new IllegalArgumentException(
          "an object must be called DATASET/SHA256.rows or .side: found '" + object + "'");
    }
  }
}
