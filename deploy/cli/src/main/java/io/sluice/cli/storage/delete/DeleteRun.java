package io.sluice.cli.storage.delete;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.storage.ByteText;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice run delete}. */
@Command(
    name = "delete",
    description =
        "End the run at once and delete its stream, feedback and control log; say how many bytes"
            + " that frees, and who still needs its dataset.")
public final class DeleteRun extends CliCommand {
  private static final int ANSWER_SECONDS = 30;
  private static final String DELETED = "deleted";

  @Parameters(paramLabel = "RUN", description = "Its name.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    KafkaAccess access = access();
    Topics topics = access.topics();
    RunCatalog.Entry run = RunCatalog.read(access).require(name);
    Optional<String> dataset =
        run.folded(RunLogs.of(access)).fold().map(RunFold::spec).map(spec -> spec.getDataset());
    Found found = Found.now(access);
    List<String> own =
        List.of(topics.stream(name), topics.feedback(name), topics.control(run.runId()));
    RunAdmin.of(access, ANSWER_SECONDS).change(run, DELETED, "deleted by hand");
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.deleteRun(name, run.runId());
    }
    List<String> left = dataset.map(of -> left(found, run, of)).orElse(List.of());
    Deleted deleted = new Deleted("run", name, found.of(own), found.why(), left);
    json.write(deleted.view());
    print(deleted.lines());
  }

  /** What is said of the dataset, which stays. */
  private static List<String> left(Found found, RunCatalog.Entry run, String dataset) {
    Optional<DatasetSpec> spec = new DatasetCatalog(found.access()).find(dataset);
    if (spec.isEmpty() || !found.access().topics().ownsDatasets()) {
      return List.of(); // A dataset of another prefix is not this one's to delete.
    }
    List<String> others = Found.holders(found.access()).butRun(run).ofDataset(dataset);
    OptionalLong bytes =
        found.of(TopicInspection.datasetTopics(found.access().topics(), spec.get()));
    String has =
        "dataset "
            + dataset
            + (bytes.isPresent() ? ", of " + ByteText.of(bytes.getAsLong()) + "," : "")
            + " stays: ";
    return List.of(
        others.isEmpty()
            ? has + "no other run reads it, and 'sluice dataset delete " + dataset + "' frees that"
            : has + Holders.need(others));
  }
}
