/** {@code sluice forget --purge}: topics without the documents that are forgotten. */
@NullMarked
package io.sluice.cli.forget.purge;

import org.jspecify.annotations.NullMarked;
