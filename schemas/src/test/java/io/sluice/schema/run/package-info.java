@NullMarked
package io.sluice.schema.run;

import org.jspecify.annotations.NullMarked;
