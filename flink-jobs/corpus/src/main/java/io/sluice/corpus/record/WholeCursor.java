package io.sluice.corpus.record;

import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A file that is one record; of one that is too large for a document, a byte more than that. */
final class WholeCursor implements RecordCursor {
  private final InputStream in;
  private final int most;
  private boolean over;

  private WholeCursor(InputStream in, int most) {
    this.in = in;
    this.most = most;
  }

  static WholeCursor open(StoredFile file, RecordReading reading, LongConsumer read)
      throws IOException {
    InputStream raw = file.open(0);
    try {
      return new WholeCursor(Content.open(file.name(), raw, read), reading.maxDocument() + 1);
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  @Override
  public @Nullable FileRecord next() throws IOException {
    if (over) {
      return null;
    }
    over = true;
    return new FileRecord.Whole(in.readNBytes(most));
  }

  @Override
  public long passed() {
    return over ? 1 : 0;
  }

  @Override
  public long place() {
    return 0;
  }

  @Override
  public void skipTo(long records, long place) {
    over = over || records > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
