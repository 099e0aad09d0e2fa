package io.sluice.refine.classify;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The labels of a classifier, as its directory has them. */
public final class Labels {
  /** The parameter that has them. */
  public static final String KEY = "labels";

  /** How many labels a classifier may tell apart. */
  public static final int MOST = 256;

  private Labels() {}

  /**
   * The labels that a model names.
   *
   * @throws io.sluice.control.error.BadInputException if they are no list of 2 to {@value #MOST}
   *     different names that domains may have
   */
  public static List<String> of(ModelDirectory model) {
    JsonNode listed = model.parameter(KEY);
    List<String> labels = new ArrayList<>();
    for (JsonNode label : listed) {
      if (!label.isTextual() || !Topics.NAME.matcher(label.textValue()).matches()) {
        throw model.refused("labels must be names of letters, digits, '_' or '-': found " + label);
      }
      labels.add(label.textValue());
    }
    if (!listed.isArray() || labels.size() < 2 || labels.size() > MOST) {
      throw model.refused("labels must be a list of 2 to " + MOST + " names");
    }
    if (new HashSet<>(labels).size() < labels.size()) {
      throw model.refused("labels must be different: found " + labels);
    }
    return labels;
  }
}
