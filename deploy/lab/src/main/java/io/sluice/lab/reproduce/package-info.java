/** Runs the papers' experiments on real models, and says which of their claims hold. */
@NullMarked
package io.sluice.lab.reproduce;

import org.jspecify.annotations.NullMarked;
