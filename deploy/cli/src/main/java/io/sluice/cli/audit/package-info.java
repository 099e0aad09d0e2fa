/** Re-derives a run's stream from the logs and holds every emitted sequence against it. */
@NullMarked
package io.sluice.cli.audit;

import org.jspecify.annotations.NullMarked;
