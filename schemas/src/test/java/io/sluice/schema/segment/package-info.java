@NullMarked
package io.sluice.schema.segment;

import org.jspecify.annotations.NullMarked;
