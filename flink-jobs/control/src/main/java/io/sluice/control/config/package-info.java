/** Checked reading of the YAML files that people write. */
@NullMarked
package io.sluice.control.config;

import org.jspecify.annotations.NullMarked;
