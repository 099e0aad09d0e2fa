/** What runs do, read from their topics alone. */
@NullMarked
package io.sluice.serve;

import org.jspecify.annotations.NullMarked;
