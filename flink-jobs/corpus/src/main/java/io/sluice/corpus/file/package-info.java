/** Files and directories, and what their names say of them. */
@NullMarked
package io.sluice.corpus.file;

import org.jspecify.annotations.NullMarked;
