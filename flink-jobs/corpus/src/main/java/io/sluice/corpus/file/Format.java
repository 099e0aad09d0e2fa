package io.sluice.corpus.file;

/** How a file is divided into documents. */
public enum Format {
  /**
   * By name: {@code .jsonl} and {@code .ndjson} as JSONL, {@code .parquet} as Parquet, all else as
   * text; JSONL for '-'.
   */
  AUTO,
  /** The whole file is one document. */
  TEXT,
  /** The main content of the whole file, a page of the web, is one document. */
  HTML,
  /** Every line is a JSON object with the document's {@code text}. */
  JSONL,
  /** Every line that is not empty is a document. */
  LINES,
  /** Every row of a Parquet file is a document; only for files, which are read from their ends. */
  PARQUET,
  /** Documents are token ids already: see {@code io.sluice.corpus.tokens}; only for files. */
  TOKENS
}
