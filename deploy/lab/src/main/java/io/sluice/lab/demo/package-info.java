/** The whole loop on this machine: corpus, broker, jobs, a trainer, and what came of it. */
@NullMarked
package io.sluice.lab.demo;

import org.jspecify.annotations.NullMarked;
