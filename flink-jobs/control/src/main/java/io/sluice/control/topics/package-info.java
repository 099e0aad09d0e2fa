/** The deployment's Kafka topics: creation with the settings they need, and the dataset catalog. */
@NullMarked
package io.sluice.control.topics;

import org.jspecify.annotations.NullMarked;
