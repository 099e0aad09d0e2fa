/** Pages of the web: their main content as plain text. */
@NullMarked
package io.sluice.corpus.html;

import org.jspecify.annotations.NullMarked;
