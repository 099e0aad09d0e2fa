package io.sluice.corpus.file;

import java.nio.file.Path;

/**
 * One file to ingest.
 *
 * @param path where it is
 * @param id first part of its documents' ids: its path below the folder that was named, starting
 *     with that folder's own name
 * @param bytes its size
 * @param named true if the user named it, false if it was found below a folder
 */
public record SourceFile(Path path, String id, long bytes, boolean named) {}
