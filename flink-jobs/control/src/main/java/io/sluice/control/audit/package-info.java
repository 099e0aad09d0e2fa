/** Derives a run's stream from the logs again and holds every emitted sequence against it. */
@NullMarked
package io.sluice.control.audit;

import org.jspecify.annotations.NullMarked;
