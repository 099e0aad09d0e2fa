/** Deletes runs, datasets and domains, and says what that frees, or who still needs them. */
@NullMarked
package io.sluice.cli.storage.delete;

import org.jspecify.annotations.NullMarked;
