package io.sluice.cli.serve;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.WritableFile;
import io.sluice.control.error.BadInputException;
import io.sluice.serve.ServeSettings;
import io.sluice.serve.web.WebServer;
import io.sluice.service.local.StopSignal;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice serve}. */
@Command(
    name = "serve",
    description = {
      "Serve a page on which runs are followed, an API, and metrics, until stopped.",
      "It reads Sluice's topics and keeps nothing: it may end and start at any time, and no trainer"
          + " waits for it. Whoever reaches it may look; nothing can be changed without"
          + " --token-file."
    })
public final class ServeCommand extends CliCommand {
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final Pattern TOKEN = Pattern.compile("[!-~]{16,512}");

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on; 0.0.0.0 for all of this machine's. Default: 127.0.0.1.")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on; 0 for any free one. Default: 8480.")
  private int port = 8480;

  @Option(
      names = "--host-name",
      paramLabel = "NAME",
      description =
          "A name by which browsers may call it, besides localhost and addresses; may be given"
              + " several times. Default: none.")
  private List<String> hostNames = List.of();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with a token of 16 to 512 characters, without spaces: whoever gives it may pause"
              + " runs, let them go on, and set their weights. Default: nobody may.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the address there once it serves; removed when it stops.")
  private @Nullable Path readyFile;

  @Override
  public void run() {
    if (port < 0 || port > 65535) {
      throw misused("--port must be in [0, 65535]: " + port);
    }
    ServeSettings settings =
        new ServeSettings(
            global().access(),
            host,
            port,
            hostNames.stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet()),
            token(),
            String.join("", spec().root().version()).replace("sluice ", ""),
            InstantSource.system());
    try (StopSignal signal = StopSignal.install(STOP);
        WebServer server = new WebServer(settings)) {
      String address =
          "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port() + "/";
      ready(address);
      print(List.of("sluice: serving " + address + "; stop with Ctrl-C"));
      new CountDownLatch(1).await();
    } catch (InterruptedException stopped) {
      print(List.of("sluice: stopped"));
    } finally {
      remove();
    }
  }

  private Optional<String> token() {
    if (tokenFile == null) {
      return Optional.empty();
    }
    try {
      String token = Files.readString(tokenFile).strip();
      if (!TOKEN.matcher(token).matches()) {
        throw new BadInputException(
            "the token in "
                + tokenFile
                + " must have 16 to 512 characters, none of them a space: it has "
                + token.length());
      }
      return Optional.of(token);
    } catch (CharacterCodingException e) {
      throw new BadInputException("the token in " + tokenFile + " must be text", e);
    } catch (IOException e) {
      throw new BadInputException("--token-file cannot be read: " + e, e);
    }
  }

  /** Whoever sees the file sees all of the address. */
  private void ready(String address) {
    if (readyFile == null) {
      return;
    }
    Path whole = readyFile.resolveSibling(readyFile.getFileName() + ".writing");
    try {
      Files.writeString(whole, address + "\n");
      Files.move(whole, readyFile, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new BadInputException("--ready-file cannot be written: " + e, e);
    }
  }

  private void remove() {
    try {
      if (readyFile != null) {
        Files.deleteIfExists(readyFile);
      }
    } catch (IOException e) {
      notice("cannot remove " + readyFile);
    }
  }
}
