package io.sluice.jobs.prepare.log;

import io.sluice.schema.set.DocumentKeys;

/** Documents that everybody is to forget, as they become known. */
public interface ForgottenDocuments extends AutoCloseable {
  /** Looks for more of them. Those that cannot be looked for now are found another time. */
  void look();

  /** All of a domain that are known: the same object, until more are. */
  DocumentKeys of(String domain);

  @Override
  void close();
}
