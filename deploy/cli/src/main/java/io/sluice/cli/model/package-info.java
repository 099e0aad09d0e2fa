/** {@code sluice classifier}, {@code perplexity}, {@code embedder}, {@code benchmark}: models. */
@NullMarked
package io.sluice.cli.model;

import org.jspecify.annotations.NullMarked;
