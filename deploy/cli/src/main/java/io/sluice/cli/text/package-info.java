/** Texts of files, as commands read them that write nothing of them into topics. */
@NullMarked
package io.sluice.cli.text;

import org.jspecify.annotations.NullMarked;
