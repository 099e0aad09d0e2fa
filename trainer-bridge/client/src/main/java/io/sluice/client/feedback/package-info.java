/** What trainers report: measurements and progress. */
@NullMarked
package io.sluice.client.feedback;

import org.jspecify.annotations.NullMarked;
