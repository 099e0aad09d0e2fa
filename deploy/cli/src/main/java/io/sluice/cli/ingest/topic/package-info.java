/** Topics that others write, as sources of documents. */
@NullMarked
package io.sluice.cli.ingest.topic;

import org.jspecify.annotations.NullMarked;
