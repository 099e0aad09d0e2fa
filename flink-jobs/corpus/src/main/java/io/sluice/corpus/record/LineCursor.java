package io.sluice.corpus.record;

import io.sluice.control.line.Line;
import io.sluice.control.line.LineReader;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.StoredFile;
import io.sluice.schema.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Lines of a file's content. */
record LineCursor(InputStream in, LineReader lines) implements RecordCursor {
  static LineCursor open(StoredFile file, RecordReading reading, LongConsumer read)
      throws IOException {
    InputStream raw = file.open(0);
    try {
      return of(Content.open(file.name(), raw, read), reading);
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  static LineCursor openAt(
      StoredFile file, RecordReading reading, long passed, long place, long bytes)
      throws IOException {
    LineCursor result = of(file.open(place, bytes), reading);
    result.lines.count(passed, place);
    return result;
  }

  private static LineCursor of(InputStream in, RecordReading reading) {
    return new LineCursor(in, new LineReader(in, reading.maxDocument(), Limits.PAYLOAD_BYTES));
  }

  @Override
  public @Nullable FileRecord next() throws IOException {
    Line line = lines.next();
    return line == null ? null : new FileRecord.OfLine(line);
  }

  @Override
  public long passed() {
    return lines.number();
  }

  @Override
  public long place() {
    return lines.place();
  }

  @Override
  public void endAt(long place) {
    lines.endAt(place);
  }

  @Override
  public void skipTo(long records, long place) throws IOException {
    lines.skipTo(records, place);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
