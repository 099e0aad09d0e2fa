/** {@code sluice synthesize}: documents of questions and answers, made of others. */
@NullMarked
package io.sluice.cli.synthesize;

import org.jspecify.annotations.NullMarked;
