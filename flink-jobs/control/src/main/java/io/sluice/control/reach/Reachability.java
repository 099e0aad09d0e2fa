package io.sluice.control.reach;

import io.sluice.control.config.Durations;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Whether servers can be reached, asked side by side and for a bounded time. Kafka's own clients
 * try for as long as their calls may take, and then say only that these took too long.
 */
public final class Reachability {
  /** How long a command tries before it says that nobody is there. */
  public static final Duration LIMIT = Duration.ofSeconds(3);

  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String PLAIN = "PLAINTEXT";

  private final boolean tls;
  private final Duration limit;

  /**
   * Of servers that are asked with these settings.
   *
   * @param limit how long one that refuses, as while it starts, is tried again
   */
  public Reachability(KafkaAccess access, Duration limit) {
    String protocol = access.properties().getOrDefault("security.protocol", PLAIN);
    this.tls = protocol.toUpperCase(Locale.ROOT).endsWith("SSL");
    this.limit = limit;
  }

  /**
   * Returns as soon as one of the servers that a command starts from takes a connection; one that
   * is slow to say more is not given up.
   *
   * @param advice what to do if none does
   * @throws UnreachableException naming each server and why it cannot be reached
   */
  public static void require(KafkaAccess access, String advice) {
    new Reachability(access, LIMIT).requireAny(servers(access.bootstrapServers()), advice);
  }

  /** The servers of a list with commas between. */
  public static List<String> servers(String list) {
    return Arrays.stream(list.split(",", -1)).map(String::strip).distinct().toList();
  }

  void requireAny(List<String> servers, String advice) {
    Map<String, Contact> found = ask(servers, true);
    if (found.values().stream().allMatch(Contact.Failed.class::isInstance)) {
      throw new UnreachableException(
          "Kafka is unreachable, tried for %s: %s; %s"
              .formatted(Durations.format(limit), reasons(found.values()), advice));
    }
  }

  private static String reasons(Collection<Contact> failed) {
    return failed.stream()
        .map(Contact.Failed.class::cast)
        .map(each -> each.server() + ": " + each.reason())
        .collect(Collectors.joining("; "));
  }

  /** What comes of each server, in their order. */
  public List<Contact> ask(List<String> servers) {
    return List.copyOf(ask(servers, false).values());
  }

  private Map<String, Contact> ask(List<String> servers, boolean untilOne) {
    long deadline = System.nanoTime() + limit.toNanos();
    BlockingQueue<Contact> answers = new LinkedBlockingQueue<>();
    Map<String, Contact> found = new LinkedHashMap<>();
    List<Thread> asking = new ArrayList<>();
    for (String server : servers) {
      found.put(server, new Contact.Failed(server, "no answer, not even of a name server"));
      ServerProbe probe = new ServerProbe(server, tls);
      Thread thread = new Thread(() -> answers.add(askUntil(probe, deadline)), "sluice-reach");
      thread.setDaemon(true);
      asking.add(thread);
    }
    asking.forEach(Thread::start);
    try {
      collect(answers, deadline, found, untilOne);
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("asking " + servers + " was interrupted", e);
    } finally {
      asking.forEach(Thread::interrupt);
    }
  }

  private static void collect(
      BlockingQueue<Contact> answers, long deadline, Map<String, Contact> found, boolean untilOne)
      throws InterruptedException {
    boolean enough = false;
    for (int left = found.size(); left > 0 && !enough; left--) {
      // A name server may take longer than all of this may.
      long wait = deadline - System.nanoTime() + PAUSE.toNanos();
      Contact next = answers.poll(wait, TimeUnit.NANOSECONDS);
      if (next == null) {
        return;
      }
      found.put(next.server(), next);
      enough = untilOne && !(next instanceof Contact.Failed);
    }
  }

  private static Contact askUntil(ServerProbe probe, long deadline) {
    while (true) {
      Contact contact = probe.ask(Duration.ofNanos(deadline - System.nanoTime()));
      if (!(contact instanceof Contact.Failed) || deadline - System.nanoTime() < PAUSE.toNanos()) {
        return contact;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      } catch (InterruptedException nobodyWaits) {
        return contact;
      }
    }
  }
}
