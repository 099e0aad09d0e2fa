/** What of a dataset's sources each of its domains takes. */
@NullMarked
package io.sluice.cli.ingest.source;

import org.jspecify.annotations.NullMarked;
