/** {@code sluice refine}: domains that are made of others. */
@NullMarked
package io.sluice.cli.refine;

import org.jspecify.annotations.NullMarked;
