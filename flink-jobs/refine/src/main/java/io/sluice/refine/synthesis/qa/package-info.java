/**
 * What an answer must look like to become questions and answers, and how these are spoilt on
 * purpose.
 */
@NullMarked
package io.sluice.refine.synthesis.qa;

import org.jspecify.annotations.NullMarked;
