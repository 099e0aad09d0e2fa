package io.sluice.control.rights;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** Gives rights to Kafka's users. */
public final class RightsAdmin {
  private RightsAdmin() {}

  /**
   * Adds rights to those that a principal has.
   *
   * @throws BadInputException if the brokers keep no rights
   * @throws KafkaException if they refuse
   */
  public static void give(KafkaAccess kafka, String principal, List<Right> rights) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      admin
          .createAcls(rights.stream().flatMap(right -> right.bindings(principal).stream()).toList())
          .all()
          .get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SecurityDisabledException) {
        throw new BadInputException(
            "the brokers keep no rights: without an authorizer (authorizer.class.name) every user"
                + " may do everything, and there is nothing to give");
      }
      if (e.getCause() instanceof ClusterAuthorizationException) {
        // Kafka's own text is its server's request.
        throw new ClusterAuthorizationException(
            "who gives rights needs the right to Alter the cluster itself");
      }
      throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
