package io.sluice.cli;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.jspecify.annotations.Nullable;

/** Looks for a secret in everything that this process logs, from INFO on, until it is closed. */
public final class SecretWatch implements AutoCloseable {
  private static final String CONSOLE = "out";

  private final String secret;
  private final AtomicLong looked = new AtomicLong();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final LoggerContext context = LoggerContext.getContext(false);
  private final Level before;
  private final Appender appender =
      new AbstractAppender("secret-watch", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          looked.incrementAndGet();
          look(event.getLoggerName(), event.getMessage().getFormattedMessage());
          for (Throwable e = event.getThrown(); e != null; e = e.getCause()) {
            look(event.getLoggerName(), e.toString());
          }
        }
      };

  /** Starts to watch. */
  public SecretWatch(String secret) {
    this.secret = secret;
    LoggerConfig root = root();
    before = root.getLevel();
    appender.start();
    Appender console = root.getAppenders().get(CONSOLE);
    root.removeAppender(CONSOLE);
    root.addAppender(console, before, null);
    root.addAppender(appender, Level.INFO, null);
    root.setLevel(Level.INFO);
    context.updateLoggers();
  }

  private LoggerConfig root() {
    return context.getConfiguration().getRootLogger();
  }

  private void look(String logger, @Nullable String message) {
    if (message != null && message.contains(secret)) {
      told.add(logger + ": " + message);
    }
  }

  /** Messages that were looked at. */
  public long looked() {
    return looked.get();
  }

  /** Messages that contain the secret. */
  public List<String> told() {
    return List.copyOf(told);
  }

  @Override
  public void close() {
    root().removeAppender(appender.getName());
    root().setLevel(before);
    context.updateLoggers();
    appender.stop();
  }
}
