package io.sluice.jobs.refine.decide;

import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.refine.decide.Examined;

/** A record of an input, and what it is. */
record ExaminedRecord(InputRecord record, Examined what) {}
