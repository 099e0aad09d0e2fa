/** The project's client in Python, for what is measured and proved with it. */
@NullMarked
package io.sluice.lab.python;

import org.jspecify.annotations.NullMarked;
