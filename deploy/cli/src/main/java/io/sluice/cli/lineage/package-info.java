/** {@code sluice lineage}: which batches of which runs a document was in, and the other way. */
@NullMarked
package io.sluice.cli.lineage;

import org.jspecify.annotations.NullMarked;
