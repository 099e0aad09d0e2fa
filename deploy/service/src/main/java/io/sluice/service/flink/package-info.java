/** A Flink mini cluster on this machine, and its jobs. */
@NullMarked
package io.sluice.service.flink;

import org.jspecify.annotations.NullMarked;
