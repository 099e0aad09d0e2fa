package io.sluice.lab;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves tests out, and the jars of test doubles that other modules' tests use. */
public final class MainClasses implements ImportOption {
  private final ImportOption noTests = new DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return noTests.includes(location) && !location.contains("-tests.jar");
  }

  static JavaClasses read() {
    return new ClassFileImporter().withImportOption(new MainClasses()).importPackages("io.sluice");
  }
}
