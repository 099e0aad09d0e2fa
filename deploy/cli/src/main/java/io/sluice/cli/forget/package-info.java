/** {@code sluice forget}: documents that nobody is to be trained on any more. */
@NullMarked
package io.sluice.cli.forget;

import org.jspecify.annotations.NullMarked;
