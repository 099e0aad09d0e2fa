package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.TaskClock;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;

/** Dead letters of what a dataset's job reads, as records of their topic. */
record Refusals(Topics topics, TaskClock clock) {
  private static final String COMPONENT = "prepare";
  private static final int NO_PARTITION = -1;

  /** Of a record of a corpus, whose topic says of which domain it is. */
  OutputRecord of(CorpusRecord input, String reason) {
    long now = clock.getAsLong();
    return letter(
        OutputRecord.NO_KEY,
        DeadLetters.of(
            COMPONENT,
            input.topic(),
            input.partition(),
            input.offset(),
            reason,
            input.value(),
            now));
  }

  /** Of a record of a file, by its place there. */
  OutputRecord of(Reading.RefusedInFile refused) {
    long now = clock.getAsLong();
    return letter(
        refused.domain().getBytes(StandardCharsets.UTF_8),
        DeadLetters.of(
            COMPONENT,
            refused.file(),
            NO_PARTITION,
            refused.line(),
            refused.reason(),
            refused.payload(),
            now));
  }

  private OutputRecord letter(byte[] key, DeadLetter letter) {
    return new OutputRecord(
        topics.deadLetters(), 0, letter.getTimeMillis(), key, WireCodec.encode(letter));
  }
}
