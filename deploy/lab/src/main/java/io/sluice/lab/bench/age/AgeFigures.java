package io.sluice.lab.bench.age;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import org.jspecify.annotations.Nullable;

/**
 * What a service of some age costs.
 *
 * @param openJava a trainer that goes on from its last batch, from nothing to where it can read
 * @param openPython the same in Python, the interpreter's start left out; null if there is none
 * @param runList the command, in this process
 * @param runShow the command for a live run, in this process
 * @param restartFromCheckpoint of MixJob, until every live run was granted and emitted a batch
 * @param restartWithoutState the same from nothing but the topics
 * @param jobHeapBytes that live because of the job after it was restarted from a checkpoint
 * @param openHeapBytes that live because of an open trainer
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record AgeFigures(
    AgeShape shape,
    Cost openJava,
    @Nullable Cost openPython,
    Cost runList,
    Cost runShow,
    Cost restartFromCheckpoint,
    Cost restartWithoutState,
    long jobHeapBytes,
    long openHeapBytes) {}
