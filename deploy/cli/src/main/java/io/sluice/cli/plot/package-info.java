/** Figures as SVG, of panels with axes and a legend, and tables as text. */
@NullMarked
package io.sluice.cli.plot;

import org.jspecify.annotations.NullMarked;
