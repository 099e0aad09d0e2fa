/** Documents in files, directories and streams of lines. */
@NullMarked
package io.sluice.cli.ingest.file;

import org.jspecify.annotations.NullMarked;
