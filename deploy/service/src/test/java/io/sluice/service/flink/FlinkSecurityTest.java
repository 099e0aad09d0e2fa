package io.sluice.service.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.runtime.security.SecurityConfiguration;
import org.junit.jupiter.api.Test;

class FlinkSecurityTest {
  @Test
  void nothingOfHadoopIsTried() {
    Configuration options = new Configuration();
    assertThat(tried(options)).anyMatch(name -> name.contains("Hadoop"));

    FlinkSecurity.withoutHadoop(options);
    assertThat(tried(options)).hasSize(3).noneMatch(name -> name.contains("Hadoop"));
    assertThat(options.get(SecurityOptions.DELEGATION_TOKENS_ENABLED)).isFalse();
  }

  private static List<String> tried(Configuration options) {
    SecurityConfiguration security = new SecurityConfiguration(options);
    List<String> names = new ArrayList<>(security.getSecurityContextFactories());
    names.addAll(security.getSecurityModuleFactories());
    return names;
  }
}
