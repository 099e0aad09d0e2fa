/** The service as a cluster of processes on one machine, each started again when it ends. */
@NullMarked
package io.sluice.service.cluster;

import org.jspecify.annotations.NullMarked;
