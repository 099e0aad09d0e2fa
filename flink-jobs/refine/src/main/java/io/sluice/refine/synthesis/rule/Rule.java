package io.sluice.refine.synthesis.rule;

import io.sluice.refine.synthesis.qa.QaPair;
import java.util.List;

/** What makes questions and answers of documents of a kind; pure. */
@FunctionalInterface
interface Rule {
  /** Questions with answers, in the document's order; none of a document of another kind. */
  List<QaPair> pairs(String document);
}
