/** {@code sluice classifier}, {@code perplexity}, {@code benchmark}: models from texts. */
@NullMarked
package io.sluice.cli.model;

import org.jspecify.annotations.NullMarked;
