/** {@code sluice cluster} and {@code histogram}: clusters of texts, and how others lie in them. */
@NullMarked
package io.sluice.cli.cluster;

import org.jspecify.annotations.NullMarked;
