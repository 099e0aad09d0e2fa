/** What the logs say of a run: its accepted control entries, and whole topics read to their end. */
@NullMarked
package io.sluice.control.history;

import org.jspecify.annotations.NullMarked;
