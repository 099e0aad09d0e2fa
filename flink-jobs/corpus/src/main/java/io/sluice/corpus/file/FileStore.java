package io.sluice.corpus.file;

import java.io.IOException;

/** Where files are: this machine, or an object store. */
public interface FileStore {
  /**
   * Lists the files below a path, in the order of their names.
   *
   * @param gitignore leave out what the {@code .gitignore} files below folders say, those of the
   *     folders that are named among them, those above them not
   * @return none, if it is a folder or a pattern that has none
   * @throws io.sluice.control.error.BadInputException if it cannot be read
   */
  SourceFiles list(String path, boolean gitignore);

  /**
   * The file that is at a location now.
   *
   * @param location what {@link StoredFile#location} said
   * @throws IOException if there is none
   */
  StoredFile find(String location) throws IOException;
}
