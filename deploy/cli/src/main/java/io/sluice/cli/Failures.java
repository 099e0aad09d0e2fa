package io.sluice.cli;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.client.error.EvalSetException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.error.UnknownRunException;
import io.sluice.control.error.CommandException;
import io.sluice.control.error.MissingTopicException;
import io.sluice.schema.KafkaUnreachableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** What a failure becomes: one line for the user and an exit code. */
record Failures(GlobalOptions global)
    implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final int NOT_HELD = 1;
  private static final int BAD_INPUT = 2;
  private static final int UNREACHABLE = 3;
  private static final int INTERNAL = 70;
  private static final Pattern NO_CLIENT =
      Pattern.compile("Failed to (construct kafka|create new Kafka)");

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("sluice: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return BAD_INPUT;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed)
      throws Exception {
    if (e instanceof ParameterException usage) {
      return handleParseException(usage, new String[0]);
    }
    int code = exitCode(e);
    PrintWriter err = command.getErr();
    err.println("sluice: " + (code == INTERNAL ? internal(e) : message(e)));
    if (global.debug()) {
      e.printStackTrace(err);
    }
    err.flush();
    return code;
  }

  private static int exitCode(Exception e) {
    if (e instanceof CommandException known) {
      return known.exitCode();
    }
    if (e instanceof UnknownRunException || e instanceof EvalSetException) {
      return BAD_INPUT;
    }
    if (e instanceof StreamCorruptException || e instanceof StreamGapException) {
      return NOT_HELD;
    }
    if (e instanceof StreamException
        || e instanceof KafkaUnreachableException
        || e instanceof TimeoutException
        || e instanceof DisconnectException
        || e instanceof AuthenticationException
        || e instanceof AuthorizationException) {
      return UNREACHABLE;
    }
    if (isBadSetting(e)) {
      return BAD_INPUT;
    }
    // The project's records and parsers report a value out of range this way, with key and range.
    if (e instanceof IllegalArgumentException && e.getMessage() != null) {
      return BAD_INPUT;
    }
    return INTERNAL;
  }

  /** Whether no client could be made: Kafka wraps what is wrong with its settings. */
  private static boolean isBadSetting(Exception e) {
    return e.getClass() == KafkaException.class
        && NO_CLIENT.matcher(String.valueOf(e.getMessage())).lookingAt();
  }

  private String message(Exception e) {
    if (e instanceof MissingTopicException) {
      return e.getMessage() + "; " + global.prefixAdvice();
    }
    if (e instanceof AuthenticationException) {
      return "Kafka at "
          + global.access().bootstrapServers()
          + " refuses this client: "
          + reasons(e)
          + "; its user, password and certificates are what --kafka-config gives";
    }
    if (e instanceof AuthorizationException) {
      return "Kafka lets this client in, but not do this: "
          + e.getMessage()
          + "; 'sluice rights ROLE' says what each role needs, and an operator needs every right on"
          + " topics, groups and transactional ids that begin with '"
          + global.topics().prefixes()
          + "'";
    }
    return isBadSetting(e)
        ? "Kafka's settings, of which --kafka-config gives some, are not usable: " + reasons(e)
        : Objects.toString(e.getMessage(), e.toString());
  }

  /** The messages of a failure and of what caused it; Kafka's first one may say little. */
  private static String reasons(Throwable e) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each.getMessage() != null && !each.getMessage().contains(each.toString())) {
        reasons.add(each.getMessage());
      }
    }
    return String.join(": ", reasons);
  }

  private String internal(Exception e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace, true));
    Path logs = global.home().resolve("logs");
    try {
      Files.createDirectories(logs);
      Path file = Files.createTempFile(logs, "failure-", ".txt");
      Files.writeString(file, trace.toString());
      return "unexpected " + e + "; the stack trace is in " + file;
    } catch (IOException notWritten) {
      return "unexpected "
          + e
          + "; the stack trace could not be kept ("
          + notWritten
          + "): --debug";
    }
  }
}
