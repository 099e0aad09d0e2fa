/** In which order a domain's training documents are packed. */
@NullMarked
package io.sluice.jobs.prepare.shuffle;

import org.jspecify.annotations.NullMarked;
