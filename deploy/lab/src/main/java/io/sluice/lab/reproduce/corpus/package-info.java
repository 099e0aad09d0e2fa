/** The texts that experiments train on: pinned packages, or this project's own files. */
@NullMarked
package io.sluice.lab.reproduce.corpus;

import org.jspecify.annotations.NullMarked;
