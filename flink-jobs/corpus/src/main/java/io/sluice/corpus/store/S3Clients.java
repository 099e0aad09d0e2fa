package io.sluice.corpus.store;

import io.sluice.control.error.BadInputException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Clients of S3 as the settings of its SDK say: its environment, properties and profiles. */
final class S3Clients {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration READ = Duration.ofSeconds(30);

  private S3Clients() {}

  /**
   * A client. Buckets are parts of paths where an endpoint is given, since few stores that are not
   * S3 itself have a name for each of them.
   *
   * @throws BadInputException if there are no credentials, or neither a region nor an endpoint
   */
  static S3Client open() {
    Optional<Region> region = region();
    S3ClientBuilder builder = builder(region.orElse(Region.US_EAST_1), credentials());
    S3Client client = builder.build();
    boolean elsewhere = client.serviceClientConfiguration().endpointOverride().isPresent();
    if (region.isPresent() && !elsewhere) {
      return client;
    }
    client.close();
    if (!elsewhere) {
      throw new BadInputException(
          "AWS_REGION or AWS_ENDPOINT_URL must say where s3:// is: neither is set, nor is there a"
              + " region in the profile");
    }
    return builder.forcePathStyle(true).build();
  }

  /** Where a client's store is. */
  static String endpoint(S3Client client) {
    return client
        .serviceClientConfiguration()
        .endpointOverride()
        .map(S3Clients::withoutUser)
        .orElseGet(() -> client.serviceClientConfiguration().region() + " of S3");
  }

  private static String withoutUser(URI where) {
    String port = where.getPort() < 0 ? "" : ":" + where.getPort();
    return where.getScheme() + "://" + where.getHost() + port;
  }

  private static S3ClientBuilder builder(Region region, AwsCredentialsProvider credentials) {
    return S3Client.builder()
        .region(region)
        .credentialsProvider(credentials)
        .httpClientBuilder(
            UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ))
        // What is to be tried again is decided in one place. Not every store knows checksums.
        .overrideConfiguration(c -> c.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
  }

  private static Optional<Region> region() {
    try {
      return Optional.of(DefaultAwsRegionProviderChain.builder().build().getRegion());
    } catch (SdkClientException e) {
      return Optional.empty();
    }
  }

  private static AwsCredentialsProvider credentials() {
    AwsCredentialsProvider provider = DefaultCredentialsProvider.builder().build();
    try {
      provider.resolveCredentials();
      return provider;
    } catch (SdkClientException e) {
      throw new BadInputException(
          "s3:// needs credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile that"
              + " AWS_PROFILE names, or a role of this machine; none is there",
          e);
    }
  }
}
