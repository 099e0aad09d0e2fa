/** {@code sluice rights}: what each role may do on Kafka. */
@NullMarked
package io.sluice.cli.rights;

import org.jspecify.annotations.NullMarked;
