/** What whoever takes part in a deployment may do on its Kafka. */
@NullMarked
package io.sluice.control.rights;

import org.jspecify.annotations.NullMarked;
