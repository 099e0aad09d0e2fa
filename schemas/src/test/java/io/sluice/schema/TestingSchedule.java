package io.sluice.schema;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One order of the steps of several threads, drawn from a seed. A thread of the scenario, or one
 * that the tested class has started, stops at each {@link #step} until it is chosen; the next one
 * is chosen when every other thread stands at a step, waits or has ended. So one thread goes on at
 * a time, whatever the machine does, and a seed that fails fails again.
 *
 * <p>A schedule fails when a thread throws, and when nobody can go on though some have not ended:
 * threads that the tested class leaves behind among them.
 */
public final class TestingSchedule {
  private static final int SCHEDULES = Boolean.getBoolean("sluice.full") ? 10_000 : 150;

  /** More than any scenario takes: threads that only ever ask each other go on for ever. */
  private static final int MOST_STEPS = 100_000;

  /** Far beyond any pause of a busy machine: only a deadlock takes so long. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long PAUSE_NANOS = 1_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Random random;
  private final Threads threads = new Threads();
  private final List<Place> stopped = new ArrayList<>();
  private final List<String> order = new ArrayList<>();
  private int leaving;
  private @Nullable Throwable failure;

  private record Place(Thread thread, String name) {}

  /** What a thread does. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  /** Builds what is tested, lets threads use it, and asserts what is left. */
  @FunctionalInterface
  public interface Scenario {
    void run(TestingSchedule schedule) throws Exception;
  }

  /** All threads that the scenario starts, and that those start. */
  private final class Threads extends ThreadGroup {
    Threads() {
      super("scheduled");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable error) {
      fail(error);
    }

    List<Thread> alive() {
      Thread[] found = new Thread[activeCount() + 8];
      return Arrays.asList(found).subList(0, enumerate(found));
    }
  }

  private TestingSchedule(long seed) {
    this.random = new Random(seed);
  }

  /** Runs a scenario under many seeds, or under that of the property {@code sluice.seed}. */
  public static void explore(Scenario scenario) {
    Long only = Long.getLong("sluice.seed");
    if (only != null) {
      replay(only, scenario);
      return;
    }
    for (long seed = 0; seed < SCHEDULES; seed++) {
      replay(seed, scenario);
    }
  }

  /** Runs a scenario under one seed. */
  public static void replay(long seed, Scenario scenario) {
    TestingSchedule schedule = new TestingSchedule(seed);
    schedule.start("main", () -> scenario.run(schedule));
    schedule.conduct();
    Throwable why = schedule.failure();
    if (why != null) {
      throw new AssertionError("seed " + seed + ", steps " + schedule.steps(), why);
    }
  }

  /** Runs bodies, each in a thread of its own; returns when all have ended. */
  public void all(Body... bodies) throws InterruptedException {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < bodies.length; i++) {
      started.add(start("thread-" + i, bodies[i]));
    }
    for (Thread each : started) {
      each.join();
    }
  }

  private Thread start(String name, Body body) {
    Thread thread =
        new Thread(
            threads,
            () -> {
              try {
                step("begin");
                body.run();
              } catch (Throwable e) {
                fail(e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Stops the calling thread until its turn; an interrupt is kept for later. */
  public void step(String name) {
    boolean interrupted = Thread.interrupted();
    synchronized (this) {
      Place place =
          new Place(Thread.currentThread(), Thread.currentThread().getName() + " " + name);
      stopped.add(place);
      while (stopped.contains(place)) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      leaving--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void conduct() {
    long since = System.nanoTime();
    for (List<Thread> alive = threads.alive(); !alive.isEmpty(); alive = threads.alive()) {
      if (isQuiet(alive) && choose()) {
        since = System.nanoTime();
      } else if (isOver(since)) {
        fail(new AssertionError("nobody goes on: " + describe(alive)));
        return;
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private synchronized boolean isOver(long since) {
    return failure != null || order.size() >= MOST_STEPS || System.nanoTime() - since > STUCK_NANOS;
  }

  /** Whether each thread stands at a step, or waits for another. */
  private synchronized boolean isQuiet(List<Thread> alive) {
    return leaving == 0 && alive.stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING, TERMINATED -> true;
      case BLOCKED -> isKeptOut(thread);
      case NEW, RUNNABLE -> false;
    };
  }

  /** Whether who has the lock that a thread wants stands at a step. */
  private boolean isKeptOut(Thread thread) {
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    return info != null
        && stopped.stream().anyMatch(each -> each.thread().getId() == info.getLockOwnerId());
  }

  private synchronized boolean choose() {
    if (stopped.isEmpty() || order.size() >= MOST_STEPS) {
      return false;
    }
    Place next = stopped.remove(random.nextInt(stopped.size()));
    order.add(next.name());
    leaving++;
    notifyAll();
    return true;
  }

  private synchronized void fail(Throwable error) {
    if (failure == null) {
      failure = error;
    }
  }

  private synchronized @Nullable Throwable failure() {
    return failure;
  }

  private synchronized List<String> steps() {
    return order.subList(Math.max(0, order.size() - 100), order.size());
  }

  private static String describe(List<Thread> alive) {
    StringBuilder text = new StringBuilder();
    for (Thread thread : alive) {
      text.append('\n').append(thread.getName()).append(' ').append(thread.getState());
      for (StackTraceElement frame : thread.getStackTrace()) {
        text.append("\n    ").append(frame);
      }
    }
    return text.toString();
  }
}
