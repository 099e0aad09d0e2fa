/** What a run's trainers measured and its rounds decided, as far as it stands, read once more. */
@NullMarked
package io.sluice.control.feedback;

import org.jspecify.annotations.NullMarked;
