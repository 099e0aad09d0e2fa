/** Who holds how much: the topics of a deployment, whose they are, and their bytes. */
@NullMarked
package io.sluice.cli.storage;

import org.jspecify.annotations.NullMarked;
