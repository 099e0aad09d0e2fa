/** The service on one machine: a broker and both jobs. */
@NullMarked
package io.sluice.service.local;

import org.jspecify.annotations.NullMarked;
