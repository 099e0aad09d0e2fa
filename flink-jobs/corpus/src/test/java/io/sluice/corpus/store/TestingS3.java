package io.sluice.corpus.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.domain.Blob;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.ListContainerOptions;
import org.jspecify.annotations.Nullable;

/**
 * A store of S3's language on this machine, which keeps its objects when it is stopped and started.
 * While it lasts, the SDK's settings in this process name it.
 */
public final class TestingS3 implements AutoCloseable {
  /** What its client must know. */
  public static final String SECRET = "the-secret-of-tests";

  private final Properties before = (Properties) System.getProperties().clone();
  private final BlobStoreContext context =
      ContextBuilder.newBuilder("transient").buildView(BlobStoreContext.class);
  private final BlobStore objects = context.getBlobStore();
  private final URI endpoint = URI.create("http://127.0.0.1:" + freePort());
  private @Nullable S3Proxy server;

  /** One with this bucket, started. */
  public TestingS3(String bucket) {
    objects.createContainerInLocation(null, bucket);
    System.setProperty("aws.accessKeyId", "tests");
    System.setProperty("aws.secretAccessKey", SECRET);
    System.setProperty("aws.endpointUrl", endpoint.toString());
    start();
  }

  /** Where it is. */
  public URI endpoint() {
    return endpoint;
  }

  /** Puts an object, in the place of one that is there. */
  public void put(String bucket, String key, byte[] bytes) {
    objects.putBlob(
        bucket, objects.blobBuilder(key).payload(bytes).contentLength(bytes.length).build());
  }

  /** Puts a text. */
  public void put(String bucket, String key, String text) {
    put(bucket, key, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The bytes of an object. */
  public byte[] get(String bucket, String key) throws IOException {
    Blob found = Objects.requireNonNull(objects.getBlob(bucket, key), key);
    try (InputStream in = found.getPayload().openStream()) {
      return in.readAllBytes();
    }
  }

  /** The keys of all objects, in their order. */
  public List<String> keys(String bucket) {
    return objects
        .list(bucket, ListContainerOptions.Builder.recursive().maxResults(100_000))
        .stream()
        .map(StorageMetadata::getName)
        .sorted()
        .toList();
  }

  /** Takes an object away. */
  public void remove(String bucket, String key) {
    objects.removeBlob(bucket, key);
  }

  /** Starts it where it was, unless it runs. */
  public void start() {
    if (server != null) {
      return;
    }
    try {
      S3Proxy started =
          S3Proxy.builder()
              .blobStore(objects)
              .endpoint(endpoint)
              .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "tests", SECRET)
              .build();
      started.start();
      server = started;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends it in the middle of whatever it is at. */
  public void kill() {
    try {
      if (server != null) {
        server.stop();
      }
      server = null;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
    context.close();
    System.setProperties(before);
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
