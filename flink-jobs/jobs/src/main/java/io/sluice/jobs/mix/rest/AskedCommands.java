package io.sluice.jobs.mix.rest;

import io.sluice.schema.RunCommand;
import java.io.Serializable;

/** Tells commands from other records. */
public interface AskedCommands<T> extends Serializable {
  /** The run of which a record asks something; '' if it is no command. */
  String run(T event);

  /** The command that a record is of which {@link #run} names a run. */
  RunCommand of(T event);
}
