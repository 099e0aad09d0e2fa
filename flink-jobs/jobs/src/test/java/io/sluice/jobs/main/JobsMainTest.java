package io.sluice.jobs.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobsMainTest {
  private final StringWriter printed = new StringWriter();

  private void run(String... arguments) throws Exception {
    JobsMain.run(new PrintWriter(printed, true), arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mix", "prepare", "refine"})
  void helpNamesWhatEveryJobHas(String job) throws Exception {
    run(job, "--help");

    assertThat(printed.toString())
        .contains("sluice-jobs " + job)
        .contains("--kafka-config", "--plugins", "--no-create-topics", "--prefix", "--heap-share");
  }

  @Test
  void withoutArgumentsItSaysWhatThereIs() throws Exception {
    run();

    assertThat(printed.toString()).contains("mix", "prepare", "refine");
  }

  @ParameterizedTest
  @CsvSource({
    "mix --kafka localhost:1 --kafak x, Unknown options: '--kafak'",
    "mix, Missing required option: '--kafka=HOST:PORT",
    "prepare --kafka localhost:1, Missing required option: '--dataset=NAME'",
    "refine --kafka localhost:1 --refinery x --threads many, Invalid value for option '--threads'",
    "mix --kafka localhost:1 --heap-share much, Invalid value for option '--heap-share'",
    "stir, Unmatched argument at index 0: 'stir'",
  })
  void whatItDoesNotKnowIsRefused(String arguments, String said) {
    assertThatExceptionOfType(JobRefusedException.class)
        .isThrownBy(() -> run(arguments.split(" ")))
        .withMessageStartingWith(said)
        .withMessageEndingWith("--help'");
  }

  /** Here no cluster says where checkpoints go. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mix --kafka localhost:1",
        "prepare --kafka localhost:1 --dataset x",
        "refine --kafka localhost:1 --refinery x"
      })
  void withoutCheckpointsNoJobStarts(String arguments) {
    assertThatExceptionOfType(JobRefusedException.class)
        .isThrownBy(() -> run(arguments.split(" ")))
        .withMessageContaining("execution.checkpointing.dir");
  }
}
