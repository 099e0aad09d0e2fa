package io.sluice.cli.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightsCommandTest {
  @TempDir private Path directory;

  private Said rights(String... options) {
    String[] command = new String[options.length + 1];
    command[0] = "rights";
    System.arraycopy(options, 0, command, 1, options.length);
    return new TestingSluice(KafkaAccess.local("localhost:1"), directory).run(command);
  }

  @Test
  void printsCommandsOfKafkasOwnTool() {
    Said said = rights("producer", "--user", "crawler", "--domain", "web");
    assertThat(said.err()).isEmpty();
    assertThat(said.out().lines())
        .contains(
            "kafka-acls.sh --bootstrap-server localhost:1 --add --allow-principal 'User:crawler'"
                + " --operation Read --operation Write --operation DescribeConfigs"
                + " --topic 'sluice.corpus.web' --resource-pattern-type literal");
  }

  @Test
  void printsAUserOfStrimzi() throws IOException {
    Said said = rights("job", "--user", "sluice-job", "--strimzi", "kafka");
    JsonNode user = new YAMLMapper().readTree(said.out());
    assertThat(user.at("/metadata/labels").get("strimzi.io/cluster").asText()).isEqualTo("kafka");
    assertThat(user.at("/spec/authorization/acls").findValuesAsText("type"))
        .contains("topic", "transactionalId", "group");
    assertThat(user.at("/spec/authorization/acls").findValuesAsText("patternType"))
        .contains("literal", "prefix");
    assertThat(user.at("/spec/authorization/acls/0/operations").toString())
        .isEqualTo("[\"Read\",\"DescribeConfigs\"]");
  }

  @ParameterizedTest
  @CsvSource({
    "producer --user a, --domain is of a producer",
    "job --user a --domain b, --domain is of a producer",
    "trainer --user a, --run is of a trainer",
    "observer --user a --dataset d, --run is of a trainer",
    "producer --user a --domain a.b, domain must be 1 to 63 letters",
    "'job --user a;b', --user must match",
    "job --user A_b --strimzi kafka, --user must match",
    "job --user a --strimzi k:k, --strimzi must match",
    "job --user a --strimzi k --apply, mutually exclusive",
    "cook --user a, Invalid value for positional parameter",
  })
  void refusesWhatNamesNoRole(String options, String reason) {
    Said said = rights(options.split(" "));
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains(reason);
  }
}
