package io.sluice.refine.synthesis;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.work.OrderedWork;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes documents of seeds: asks for several at once, hands on what became of each in the seeds'
 * order. All but the asking happens on the owner's thread.
 *
 * <p>A seed's outcome comes from its reply in the store alone. So whoever is stopped, anywhere, and
 * begins anew with the same seeds and store hands on the same outcomes, and asks for what the store
 * does not have. The first seed that the budget has too few tokens for, after all before it have
 * been settled, ends the work: what is handed on is always of the first seeds.
 */
public final class Synthesizer implements AutoCloseable {
  /** Seeds under way or done before their turn, for each request at the same time. */
  private static final int AHEAD = 4;

  private final Task task;
  private final AnswerStore store;
  private final TokenBudget budget;
  private final Asking asking;
  private final Consumer<Outcome> out;
  private final OrderedWork<Job> work;
  private final Set<RequestKey> known = new HashSet<>();
  private final Map<String, Long> refused = new TreeMap<>();
  private long seeds;
  private long asked;
  private long stored;
  private long made;
  private long left;
  private boolean over;
  private volatile @Nullable RuntimeException failure;

  /** A seed whose turn is to come. */
  private record Job(String seed, RequestKey key, Asking.End end, boolean repeated) {}

  /**
   * Makes nothing yet.
   *
   * @param refuseFailed whether a request that fails at all tries is refused for good, rather than
   *     ending the work
   * @param out takes what became of each seed, on the owner's thread
   */
  public Synthesizer(
      Task task,
      Endpoint endpoint,
      AnswerStore store,
      TokenBudget budget,
      Pace pace,
      Tries tries,
      boolean refuseFailed,
      Consumer<Outcome> out) {
    this.task = task;
    this.store = store;
    this.budget = budget;
    this.asking = new Asking(endpoint, store, budget, pace, tries, refuseFailed);
    this.out = out;
    int threads = pace.concurrency();
    this.work =
        new OrderedWork<>("synthesize", threads, 1, (long) AHEAD * threads, this::emit, () -> {});
  }

  /**
   * Takes the next seed; waits until there is room and budget for it.
   *
   * @return whether more are wanted: the budget is not used up
   * @throws UnreachableException if the endpoint does not answer, now or for a seed before
   * @throws BadInputException if the endpoint can answer nothing
   */
  public boolean accept(Seed seed) throws InterruptedException {
    if (over) {
      left++;
      return false;
    }
    Request request = task.request(seed);
    RequestKey key = request.key();
    if (!known.add(key)) {
      work.add(() -> new Job(seed.id(), key, Asking.End.KEPT, true), 1);
    } else if (store.has(key)) {
      stored++;
      work.add(() -> new Job(seed.id(), key, Asking.End.KEPT, false), 1);
    } else if (budget.reserve(request.mostTokens())) {
      asked++;
      work.add(() -> new Job(seed.id(), key, asked(request), false), 1);
    } else {
      end();
    }
    return !over;
  }

  /** Hands on what became of all seeds. */
  public Tally finish() throws InterruptedException {
    work.drain();
    return tally();
  }

  /** What came of the seeds so far. */
  public Tally tally() {
    return new Tally(seeds, asked, stored, made, refused, left);
  }

  /** Stops asking; what is under way is broken off, and its reservation counts as spent. */
  @Override
  public void close() {
    work.close();
  }

  /** What is behind a failure is not begun: nobody would see what became of it. */
  private Asking.End asked(Request request) throws InterruptedException {
    RuntimeException before = failure;
    if (before != null) {
      budget.settle(request.mostTokens(), 0);
      throw before;
    }
    try {
      return asking.ask(request);
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  private void end() throws InterruptedException {
    work.drain();
    over = true;
    left++;
  }

  private void emit(Job job) {
    if (over || job.end == Asking.End.OVER_BUDGET) {
      over = true;
      left++;
      return;
    }
    seeds++;
    Outcome outcome =
        job.repeated
            ? new Outcome.Refused(job.seed, "asks what another seed asks", "")
            : task.outcome(job.seed, job.key, store.get(job.key).orElseThrow());
    if (outcome instanceof Outcome.Refused no) {
      refused.merge(no.kind(), 1L, Long::sum);
    } else {
      made++;
    }
    out.accept(outcome);
  }
}
