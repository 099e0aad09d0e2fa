@NullMarked
package io.sluice.schema.set;

import org.jspecify.annotations.NullMarked;
