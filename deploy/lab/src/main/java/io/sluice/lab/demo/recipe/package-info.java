/**
 * Pages of the documentation that are gone through as a person would: files and lines of a shell.
 */
@NullMarked
package io.sluice.lab.demo.recipe;

import org.jspecify.annotations.NullMarked;
