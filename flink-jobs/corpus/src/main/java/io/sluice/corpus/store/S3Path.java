package io.sluice.corpus.store;

import io.sluice.control.error.BadInputException;

/**
 * Where an object is, or a folder of objects: {@code s3://bucket/key}.
 *
 * @param key "" for the whole bucket
 */
record S3Path(String bucket, String key) {
  static final String SCHEME = "s3://";

  /**
   * The path of a URL.
   *
   * @throws BadInputException if it names no bucket
   */
  static S3Path of(String url) {
    String rest = url.substring(SCHEME.length());
    int slash = rest.indexOf('/');
    String bucket = slash < 0 ? rest : rest.substring(0, slash);
    if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._:-]{1,254}")) {
      throw new BadInputException("PATH must be s3://BUCKET/KEY, or s3://BUCKET: " + url);
    }
    return new S3Path(bucket, slash < 0 ? "" : rest.substring(slash + 1));
  }

  S3Path withKey(String other) {
    return new S3Path(bucket, other);
  }

  /** The last part of the key, or the bucket. */
  String name() {
    String whole = key.endsWith("/") ? key.substring(0, key.length() - 1) : key;
    return whole.isEmpty() ? bucket : whole.substring(whole.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return SCHEME + bucket + (key.isEmpty() ? "" : "/" + key);
  }
}
