package io.sluice.corpus.store;

/** What a store is asked for, as it is said when it does not do so. */
enum S3Use {
  /** Files, by a command that may be given again. */
  READ(
      "s3:GetObject on the objects and s3:ListBucket on the bucket",
      ". Once it does, the same command goes on where this one ended"),

  /** Objects, by who tries again. */
  FETCH("s3:GetObject on the objects and s3:ListBucket on the bucket", ""),

  /** Objects of its own, by who tries again. */
  WRITE(
      "s3:GetObject, s3:PutObject and s3:DeleteObject on the objects and s3:ListBucket on the"
          + " bucket",
      "");

  private final String rights;
  private final String then;

  S3Use(String rights, String then) {
    this.rights = rights;
    this.then = then;
  }

  /** What the credentials must allow. */
  String rights() {
    return rights;
  }

  /** What to do once a store answers again, behind a sentence; '' if nothing. */
  String then() {
    return then;
  }
}
