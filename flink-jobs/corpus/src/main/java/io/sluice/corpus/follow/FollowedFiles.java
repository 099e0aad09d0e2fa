package io.sluice.corpus.follow;

import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.file.UnreadFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which of the files that are there now have something that was not taken yet. A file of lines that
 * somebody writes is taken up to its last whole line; any other file of this machine once it was
 * the same at two looks. An object is there as a whole or not at all. Holds two short texts for
 * each file.
 */
public final class FollowedFiles {
  private final Format format;
  private final Map<String, String> taken = new HashMap<>();
  private Map<String, String> seen = new HashMap<>();

  /**
   * None yet.
   *
   * @param format as the settings of the ingest have it
   */
  public FollowedFiles(Format format) {
    this.format = format;
  }

  /** The files, or the parts of them, that are to be taken now. They count as taken. */
  public SourceFiles due(SourceFiles now) {
    Map<String, String> before = seen;
    seen = new HashMap<>();
    List<SourceFile> due = new ArrayList<>();
    for (SourceFile source : now.files()) {
      String location = source.file().location();
      String state = source.bytes() + " " + source.file().version();
      seen.put(location, state);
      Optional<StoredFile> ready = ready(source.file(), state.equals(before.get(location)));
      if (ready.isPresent() && isNew(ready.get(), state)) {
        due.add(new SourceFile(ready.get(), source.id(), source.named()));
      }
    }
    return new SourceFiles(due, now.hidden(), now.ignored());
  }

  private Optional<StoredFile> ready(StoredFile file, boolean rests) {
    if (!file.mayGrow()) {
      return Optional.of(file);
    }
    if (file instanceof UnreadFile || !isLines(file.name())) {
      return rests ? Optional.of(file) : Optional.empty();
    }
    try {
      return Optional.of(WholeLines.of(file));
    } catch (IOException e) {
      // It was there when the files were listed: the next look tells.
      return Optional.empty();
    }
  }

  private boolean isLines(String name) {
    Format here = Content.format(format, name);
    return (here == Format.JSONL || here == Format.LINES) && !Content.isCompressed(name);
  }

  /** Of lines only how many bytes they have counts: a beginning of one more changes nothing. */
  private boolean isNew(StoredFile ready, String state) {
    String all = ready instanceof WholeLines ? ready.bytes() + "" : state;
    boolean something = ready.bytes() > 0 || ready instanceof UnreadFile;
    return something && !all.equals(taken.put(ready.location(), all));
  }
}
