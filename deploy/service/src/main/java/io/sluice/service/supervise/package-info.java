/** Child processes that are started again when they end. */
@NullMarked
package io.sluice.service.supervise;

import org.jspecify.annotations.NullMarked;
