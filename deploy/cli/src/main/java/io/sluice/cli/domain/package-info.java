/** The commands on domains and on what of them could not be used. */
@NullMarked
package io.sluice.cli.domain;

import org.jspecify.annotations.NullMarked;
