/** A Kafka broker on this machine, in a process of its own. */
@NullMarked
package io.sluice.service.broker;

import org.jspecify.annotations.NullMarked;
