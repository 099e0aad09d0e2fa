package io.sluice.lab;

import io.sluice.cli.Sluice;
import io.sluice.lab.bench.BenchCommand;
import io.sluice.lab.chaos.ChaosCommand;
import io.sluice.lab.demo.DemoCommand;
import io.sluice.lab.reproduce.ReproduceCommand;
import picocli.CommandLine;

/** The {@code sluice} command with its proofs and measurements: demo, chaos and benchmarks. */
public final class Lab {
  private Lab() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    Sluice.main(args, Lab::addTo);
  }

  /** Adds the commands of this module. */
  public static void addTo(CommandLine root) {
    root.addSubcommand(new DemoCommand());
    root.addSubcommand(new ReproduceCommand());
    root.addSubcommand(new ChaosCommand());
    root.addSubcommand(new BenchCommand());
  }
}
