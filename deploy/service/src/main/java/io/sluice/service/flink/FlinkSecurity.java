package io.sluice.service.flink;

import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.runtime.security.contexts.NoOpSecurityContextFactory;
import org.apache.flink.runtime.security.modules.JaasModuleFactory;
import org.apache.flink.runtime.security.modules.ZookeeperModuleFactory;

/** What Flink does to be known to others. */
public final class FlinkSecurity {
  private FlinkSecurity() {}

  /**
   * Hadoop's part of it is left out. Flink tries it where it finds Hadoop's classes, of which there
   * are some for Parquet's sake, and logs an error when it misses others.
   */
  public static void withoutHadoop(Configuration options) {
    options.set(
        SecurityOptions.SECURITY_CONTEXT_FACTORY_CLASSES,
        List.of(NoOpSecurityContextFactory.class.getName()));
    options.set(
        SecurityOptions.SECURITY_MODULE_FACTORY_CLASSES,
        List.of(JaasModuleFactory.class.getName(), ZookeeperModuleFactory.class.getName()));
    options.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
  }
}
