/** The commands on datasets. */
@NullMarked
package io.sluice.cli.dataset;

import org.jspecify.annotations.NullMarked;
