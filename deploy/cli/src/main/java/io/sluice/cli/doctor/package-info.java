/** The {@code doctor} command: what of a deployment on brokers of others is not as it should be. */
@NullMarked
package io.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
