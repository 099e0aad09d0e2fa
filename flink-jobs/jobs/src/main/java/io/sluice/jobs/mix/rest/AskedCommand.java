package io.sluice.jobs.mix.rest;

import io.sluice.control.wire.CommandWire;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.RunCommand;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a run that was started.
 *
 * @param phase that the run shall come to; null if something else is asked
 * @param heard whether a job has read it and kept that in a checkpoint
 */
record AskedCommand(String id, @Nullable RunPhase phase, boolean heard) {
  static AskedCommand of(RunCommand command, boolean heard) {
    RunPhase phase = null;
    if (command.getBody() instanceof ChangeRunState change) {
      try {
        phase = CommandWire.phase(change);
      } catch (IllegalArgumentException e) {
        // A controller has to say that there is no such phase.
        return new AskedCommand(command.getCommandId(), null, heard);
      }
    }
    return new AskedCommand(command.getCommandId(), phase, heard);
  }
}
