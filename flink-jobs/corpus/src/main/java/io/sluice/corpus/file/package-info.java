/** Documents in files, directories and streams of lines. */
@NullMarked
package io.sluice.corpus.file;

import org.jspecify.annotations.NullMarked;
