package io.sluice.jobs.prepare.record;

import java.io.Serializable;
import java.util.function.LongSupplier;

/** Milliseconds since the epoch, from a clock that can travel to a task. */
public interface TaskClock extends LongSupplier, Serializable {}
