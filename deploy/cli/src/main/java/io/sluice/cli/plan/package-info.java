/** {@code sluice plan}: what applying some files would need. */
@NullMarked
package io.sluice.cli.plan;

import org.jspecify.annotations.NullMarked;
