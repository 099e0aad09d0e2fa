/** Flink's REST interface, as any HTTP server may answer in its place. */
@NullMarked
package io.sluice.cli.flink;

import org.jspecify.annotations.NullMarked;
