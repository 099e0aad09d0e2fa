/** What a run's specification says to everybody who reads it. */
@NullMarked
package io.sluice.schema.run;

import org.jspecify.annotations.NullMarked;
