/** What of files and topics goes into the corpora of domains, each record once. */
@NullMarked
package io.sluice.cli.ingest.corpus;

import org.jspecify.annotations.NullMarked;
