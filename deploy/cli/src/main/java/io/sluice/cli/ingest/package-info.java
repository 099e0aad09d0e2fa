/** Reading files into a domain of the corpus. */
@NullMarked
package io.sluice.cli.ingest;

import org.jspecify.annotations.NullMarked;
