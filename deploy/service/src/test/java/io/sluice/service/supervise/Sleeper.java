package io.sluice.service.supervise;

/** A program that does nothing until its parent ends. */
final class Sleeper {
  private Sleeper() {}

  public static void main(String[] args) {
    System.out.println("asleep");
    ParentWatch.awaitEnd();
  }
}
