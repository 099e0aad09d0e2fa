/** Lines of files as documents: for who writes them to a corpus, and who reads them in place. */
@NullMarked
package io.sluice.control.line;

import org.jspecify.annotations.NullMarked;
