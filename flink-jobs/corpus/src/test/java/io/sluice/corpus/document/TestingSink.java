package io.sluice.corpus.document;

import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;

/** Keeps everything in memory. */
final class TestingSink implements DocumentSink {
  final List<Document> documents = new ArrayList<>();
  final List<TokenDocument> tokens = new ArrayList<>();
  final List<DeadLetter> deadLetters = new ArrayList<>();

  @Override
  public void document(Document document, byte[] encoded) {
    documents.add(WireCodec.decode(Document.class, encoded));
  }

  @Override
  public void tokens(TokenDocument document) {
    tokens.add(document);
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    deadLetters.add(letter);
  }

  List<String> ids() {
    return documents.stream().map(Document::getId).toList();
  }

  List<String> texts() {
    return documents.stream().map(Document::getText).toList();
  }

  /** The dead letters as {@code position: reason}. */
  List<String> refusals() {
    return deadLetters.stream()
        .map(letter -> letter.getPosition() + ": " + letter.getReason())
        .toList();
  }
}
