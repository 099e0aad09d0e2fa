package io.sluice.lab;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

/** Modules point one way, packages go in no circle, and users see what is meant for them. */
@AnalyzeClasses(packages = "io.sluice", importOptions = MainClasses.class)
final class ModuleDependenciesTest {
  private static final String SCHEMAS = "io.sluice.schema..";
  private static final String MIXTURE = "io.sluice.mixture..";
  private static final String CONTROL = "io.sluice.control..";
  private static final String CORPUS = "io.sluice.corpus..";
  private static final String REFINE = "io.sluice.refine..";
  private static final String MODELS = "io.sluice.models..";
  private static final String CLIENT = "io.sluice.client..";
  private static final String DERIVE = "io.sluice.client.derive..";
  private static final String DJL = "io.sluice.djl..";
  private static final String CLI = "io.sluice.cli..";
  private static final String LAB = "io.sluice.lab..";

  private static final String POLICY = "io.sluice.mixture.policy";
  private static final String[] BUILT_IN = {
    POLICY + ".bandit", POLICY + ".builtin", POLICY + ".gradient", POLICY + ".update"
  };

  @ArchTest
  static final ArchRule MODULES_POINT_ONE_WAY =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("schemas")
          .definedBy(SCHEMAS)
          .layer("mixture")
          .definedBy(MIXTURE)
          .layer("control")
          .definedBy(CONTROL)
          .layer("corpus")
          .definedBy(CORPUS)
          .layer("refine")
          .definedBy(REFINE)
          .layer("models")
          .definedBy(MODELS)
          .layer("jobs")
          .definedBy("io.sluice.jobs..")
          .layer("client")
          .definedBy(CLIENT)
          .layer("djl")
          .definedBy(DJL)
          .layer("service")
          .definedBy("io.sluice.service..")
          .layer("cli")
          .definedBy(CLI)
          .layer("lab")
          .definedBy(LAB)
          .whereLayer("schemas")
          .mayNotAccessAnyLayer()
          .whereLayer("mixture")
          .mayNotAccessAnyLayer()
          .whereLayer("control")
          .mayOnlyAccessLayers("schemas", "mixture")
          .whereLayer("corpus")
          .mayOnlyAccessLayers("schemas", "control")
          .whereLayer("refine")
          .mayOnlyAccessLayers("schemas", "mixture", "control")
          .whereLayer("models")
          .mayOnlyAccessLayers("control", "refine")
          .whereLayer("jobs")
          .mayOnlyAccessLayers("schemas", "mixture", "control", "corpus", "refine", "models")
          .whereLayer("client")
          .mayOnlyAccessLayers("schemas", "mixture")
          .whereLayer("djl")
          .mayOnlyAccessLayers("schemas", "client")
          .whereLayer("service")
          .mayOnlyAccessLayers("schemas", "mixture", "control", "corpus", "jobs")
          .whereLayer("cli")
          .mayOnlyBeAccessedByLayers("lab")
          .whereLayer("lab")
          .mayNotBeAccessedByAnyLayer();

  /** Flink's distribution brings slf4j 1.7, in whose Logger there is no such method. */
  @ArchTest
  static final ArchRule JOBS_LOG_AS_FLINKS_OWN_LIBRARIES_CAN =
      noClasses()
          .that(
              resideInAnyPackage(
                  SCHEMAS, MIXTURE, CONTROL, CORPUS, REFINE, MODELS, "io.sluice.jobs.."))
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.slf4j.spi.LoggingEventBuilder");

  @ArchTest
  static final ArchRule PACKAGES_GO_IN_NO_CIRCLE =
      slices().matching("io.sluice.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule FLINK_IS_FOR_JOBS_AND_SERVICE =
      noClasses()
          .that()
          .resideInAnyPackage(SCHEMAS, MIXTURE, CONTROL, CORPUS, REFINE, MODELS, CLIENT, DJL, CLI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.flink..");

  @ArchTest
  static final ArchRule MIXTURE_IS_PLAIN_JAVA =
      classes()
          .that()
          .resideInAPackage(MIXTURE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(MIXTURE, "java..", "org.jspecify..", "org.hipparchus..");

  /** Documents are read and told of by whoever has files: commands, jobs, tests. */
  @ArchTest
  static final ArchRule CORPUS_AND_REFINE_KNOW_NO_BROKER =
      noClasses()
          .that()
          .resideInAnyPackage(CORPUS, REFINE, MODELS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka..");

  /** Libraries of networks are large, and are for those who bring such models. */
  @ArchTest
  static final ArchRule REFINE_KNOWS_NO_NETWORKS =
      noClasses()
          .that()
          .resideInAPackage(REFINE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("ai.djl..", "ai.onnxruntime..");

  /** Parquet's classes name Hadoop's and load them; nothing else may depend on what they do. */
  @ArchTest
  static final ArchRule NOBODY_CALLS_HADOOP =
      noClasses()
          .that()
          .resideInAPackage("io.sluice..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.hadoop..");

  /** Brokers' own classes are for the service, which starts one. */
  @ArchTest
  static final ArchRule OF_KAFKA_THE_CLIENTS =
      noClasses()
          .that()
          .resideInAnyPackage(SCHEMAS, CONTROL, CLIENT, DJL, CLI, LAB)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("kafka..", "org.apache.kafka..")
                  .and(
                      resideOutsideOfPackages(
                          "org.apache.kafka.clients.admin",
                          "org.apache.kafka.clients.consumer",
                          "org.apache.kafka.clients.producer",
                          "org.apache.kafka.common",
                          "org.apache.kafka.common.acl",
                          "org.apache.kafka.common.config",
                          "org.apache.kafka.common.errors",
                          "org.apache.kafka.common.header",
                          "org.apache.kafka.common.resource",
                          "org.apache.kafka.common.serialization")));

  @ArchTest
  static final ArchRule CLIENTS_KNOW_THE_RULES_OF_THE_LOG =
      noClasses()
          .that()
          .resideInAPackage(CLIENT)
          .and()
          .resideOutsideOfPackage(DERIVE)
          .should()
          .dependOnClassesThat(
              resideInAPackage(MIXTURE).and(resideOutsideOfPackages("io.sluice.mixture.log")));

  @ArchTest
  static final ArchRule WHAT_DERIVES_KNOWS_THOSE_OF_BATCHES_TOO =
      noClasses()
          .that()
          .resideInAPackage(DERIVE)
          .should()
          .dependOnClassesThat(
              resideInAPackage(MIXTURE)
                  .and(resideOutsideOfPackages("io.sluice.mixture.log", "io.sluice.mixture.plan")));

  @ArchTest
  static final ArchRule A_POLICY_IS_WRITTEN_AGAINST_ONE_PACKAGE =
      classes()
          .that()
          .resideInAPackage(POLICY)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(POLICY, "java..", "org.jspecify..");

  /** They are found like those of other jars and stand for them. */
  @ArchTest
  static final ArchRule BUILT_IN_POLICIES_USE_WHAT_OTHERS_MAY =
      noClasses()
          .that()
          .resideInAnyPackage(BUILT_IN)
          .should()
          .dependOnClassesThat(
              resideInAPackage(MIXTURE)
                  .and(
                      resideOutsideOfPackages(
                          Stream.concat(
                                  Stream.of(BUILT_IN),
                                  Stream.of(POLICY, "io.sluice.mixture.targets"))
                              .toArray(String[]::new))));

  /** DJL's module stands for the users of the client. */
  @ArchTest
  static final ArchRule USERS_SEE_THE_PUBLIC_PACKAGES_OF_THE_CLIENT =
      noClasses()
          .that()
          .resideInAPackage(DJL)
          .should()
          .dependOnClassesThat(
              resideInAPackage(CLIENT)
                  .and(
                      resideOutsideOfPackages(
                          "io.sluice.client.run",
                          "io.sluice.client.stream",
                          "io.sluice.client.block",
                          "io.sluice.client.feedback",
                          "io.sluice.client.evaluation",
                          "io.sluice.client.error")));
}
