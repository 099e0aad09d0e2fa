/** What came of experiments and of the claims that they test, for people and for programs. */
@NullMarked
package io.sluice.lab.reproduce.report;

import org.jspecify.annotations.NullMarked;
