/** What to write to the control log next: grants, revisions, rewinds. */
@NullMarked
package io.sluice.mixture.decide;

import org.jspecify.annotations.NullMarked;
