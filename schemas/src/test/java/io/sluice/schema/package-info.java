@NullMarked
package io.sluice.schema;

import org.jspecify.annotations.NullMarked;
