package io.sluice.lab;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependencies between the modules point one way. */
@AnalyzeClasses(packages = "io.sluice", importOptions = ImportOption.DoNotIncludeTests.class)
final class ModuleDependenciesTest {
  private static final String SCHEMA = "io.sluice.schema..";
  private static final String MIXTURE = "io.sluice.mixture..";
  private static final String JOBS = "io.sluice.jobs..";
  private static final String CLIENT = "io.sluice.client..";
  private static final String DJL = "io.sluice.djl..";
  private static final String CLI = "io.sluice.cli..";

  @ArchTest
  static final ArchRule SCHEMA_KNOWS_NOBODY =
      noClasses()
          .that()
          .resideInAPackage(SCHEMA)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MIXTURE, JOBS, CLIENT, DJL, CLI);

  @ArchTest
  static final ArchRule MIXTURE_KNOWS_NOBODY =
      noClasses()
          .that()
          .resideInAPackage(MIXTURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SCHEMA, JOBS, CLIENT, DJL, CLI);

  @ArchTest
  static final ArchRule MIXTURE_IS_PLAIN_JAVA =
      noClasses()
          .that()
          .resideInAPackage(MIXTURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "org.apache.avro..");

  @ArchTest
  static final ArchRule JOBS_KNOW_SCHEMA_AND_MIXTURE =
      noClasses()
          .that()
          .resideInAPackage(JOBS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLIENT, DJL, CLI);

  @ArchTest
  static final ArchRule CLIENT_KNOWS_SCHEMA_AND_THE_LOG =
      noClasses()
          .that()
          .resideInAPackage(CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(JOBS, DJL, CLI)
          .orShould()
          .dependOnClassesThat(
              resideInAPackage(MIXTURE).and(resideOutsideOfPackage("io.sluice.mixture.log")));

  @ArchTest
  static final ArchRule DJL_KNOWS_CLIENT_AND_SCHEMA =
      noClasses()
          .that()
          .resideInAPackage(DJL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MIXTURE, JOBS, CLI);
}
