package io.sluice.refine.decide;

import io.sluice.schema.BordersMoved;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keeps what was decided. */
final class TestingDecisions implements Decisions {
  final List<String> said = new ArrayList<>();
  final List<Document> documents = new ArrayList<>();
  final List<DroppedDocument> dropped = new ArrayList<>();
  final List<BordersMoved> moved = new ArrayList<>();
  final List<String> refusals = new ArrayList<>();
  Map<String, Long> ends = Map.of();

  @Override
  public void kept(String domain, Document document) {
    said.add(domain + " " + document.getId());
    documents.add(document);
  }

  @Override
  public void dropped(DroppedDocument document) {
    dropped.add(document);
  }

  @Override
  public void moved(BordersMoved borders) {
    moved.add(borders);
  }

  @Override
  public void refused(String reason) {
    refusals.add(reason);
  }

  @Override
  public void ended(Map<String, Long> domains) {
    ends = domains;
  }
}
