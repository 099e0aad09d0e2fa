/** The service on one machine: a Kafka broker in a child process and a Flink mini cluster. */
@NullMarked
package io.sluice.cli.local;

import org.jspecify.annotations.NullMarked;
