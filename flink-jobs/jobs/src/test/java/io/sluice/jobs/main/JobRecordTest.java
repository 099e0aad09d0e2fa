package io.sluice.jobs.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRecordTest {
  @Test
  void isReadAsItWasWritten() {
    JobRecord record =
        new JobRecord("1.2.0", List.of("mix", "--kafka", "a:1,b:2", "--prefix", "it's \"mine\""));

    assertThat(JobRecord.in(record.parameters())).contains(record);
  }

  @Test
  void aJobThatSaysNothingHasNone() {
    assertThat(JobRecord.in(Map.of())).isEmpty();
    assertThat(JobRecord.in(Map.of("sluice.version", "1.2.0"))).isEmpty();
  }

  @Test
  void whatRunsFromClassesIsOfNoRelease() {
    assertThat(JobRecord.of(List.of("mix")).version()).isEqualTo(JobRecord.UNRELEASED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mix", "{\"a\": 1}", "[[1]]", "[]", "null", "", "[null]"})
  void othersArgumentsAreRefused(String arguments) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("sluice.version", "1");
    parameters.put("sluice.arguments", arguments);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobRecord.in(parameters))
        .withMessageMatching("(sluice.arguments of a job|a job) must .*");
  }
}
