/** What is scraped by Prometheus. */
@NullMarked
package io.sluice.serve.metrics;

import org.jspecify.annotations.NullMarked;
