/**
 * What is known of streams without reading them: how far brokers have them, and which are whole, so
 * that no later start without state reads those.
 */
@NullMarked
package io.sluice.jobs.mix.mark;

import org.jspecify.annotations.NullMarked;
