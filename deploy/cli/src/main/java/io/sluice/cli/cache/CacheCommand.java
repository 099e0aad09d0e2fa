package io.sluice.cli.cache;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.Printable;
import io.sluice.client.cache.NodeCache;
import io.sluice.control.error.UnreachableException;
import io.sluice.service.cache.CacheServer;
import io.sluice.service.cache.CacheSettings;
import io.sluice.service.local.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice cache}. */
@Command(
    name = "cache",
    description = {
      "Keep on this node what trainers of runs without a stream read from stores, until stopped:"
          + " fetched once for all of the node, of which each has SLUICE_NODE_CACHE=FOLDER, and at most"
          + " --size in all.",
      "What is asked for longest ago goes first. May be killed at any time: trainers wait, and go on"
          + " once it runs again."
    })
public final class CacheCommand extends CliCommand {
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  @Parameters(
      paramLabel = "FOLDER",
      description = "Where it is kept: empty, or a cache's, of this user alone.")
  private Path folder = Path.of("");

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "The store of datasets that it reads: s3://BUCKET/PREFIX or file:///FOLDER, as their files"
              + " say; may be given several times.")
  private List<String> stores = List.of();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "Bytes that it keeps at most, such as 200g; at least 64k.")
  private @Nullable String size;

  @Option(names = "--status", description = "Say what the cache of this folder has and does.")
  private boolean status;

  @Option(names = "--json", description = "With --status: as JSON.")
  private boolean json;

  @Override
  public void run() {
    if (status) {
      print(json ? List.of(asked()) : described(asked()));
      return;
    }
    String bytes = size;
    if (json || stores.isEmpty() || bytes == null) {
      throw misused("cache must have --store and --size, or --status");
    }
    serve(CacheSettings.of(folder, stores, bytes));
  }

  private void serve(CacheSettings settings) {
    try (StopSignal signal = StopSignal.install(STOP);
        CacheServer server = CacheServer.open(settings)) {
      print(List.of("sluice: cache in " + settings.folder() + "; stop with Ctrl-C"));
      server.serve();
    } catch (InterruptedException stopped) {
      print(List.of("sluice: stopped"));
    }
  }

  private String asked() {
    try {
      return new NodeCache(folder.toAbsolutePath()).status();
    } catch (IOException e) {
      throw new UnreachableException(
          "the cache in " + folder + " does not answer: " + e.getMessage(), e);
    }
  }

  private List<String> described(String answer) {
    try {
      JsonNode said = JSON.readTree(answer);
      List<String> lines = new ArrayList<>();
      lines.add(
          "%,d of %,d bytes: %,d objects, %,d of them in use"
              .formatted(
                  said.path("bytes").asLong(),
                  said.path("size").asLong(),
                  said.path("objects").asLong(),
                  said.path("held").asLong()));
      lines.add(
          "%,d were there when asked for, %,d fetched (%,d bytes), %,d gone for others"
              .formatted(
                  said.path("hits").asLong(),
                  said.path("fetched").asLong(),
                  said.path("fetchedBytes").asLong(),
                  said.path("evicted").asLong()));
      if (said.path("coming").asLong() > 0) {
        lines.add("%,d on their way:".formatted(said.path("coming").asLong()));
      }
      said.path("waits").forEach(each -> lines.add("  " + Printable.line(coming(each))));
      return lines;
    } catch (JsonProcessingException e) {
      throw new UnreachableException("the cache in " + folder + " says '" + answer + "'", e);
    }
  }

  private static String coming(JsonNode object) {
    String reason = object.path("reason").asText();
    return "%s of %s, for %d s: %s"
        .formatted(
            object.path("object").asText(),
            object.path("store").asText(),
            object.path("seconds").asLong(),
            reason.isEmpty()
                ? object.path("bytes").asLong() + " bytes have come"
                : object.path("attempts").asLong() + " tries, " + reason);
  }
}
