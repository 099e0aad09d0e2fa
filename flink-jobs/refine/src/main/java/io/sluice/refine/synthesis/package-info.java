/**
 * Documents of questions and answers that a model makes of seed documents, in the seeds' order,
 * each asked for once.
 */
@NullMarked
package io.sluice.refine.synthesis;

import org.jspecify.annotations.NullMarked;
