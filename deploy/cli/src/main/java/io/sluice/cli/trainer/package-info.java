/** The reference trainer on any run of a service. */
@NullMarked
package io.sluice.cli.trainer;

import org.jspecify.annotations.NullMarked;
