/** Checked reading of the YAML files that people write. */
@NullMarked
package io.sluice.cli.config;

import org.jspecify.annotations.NullMarked;
