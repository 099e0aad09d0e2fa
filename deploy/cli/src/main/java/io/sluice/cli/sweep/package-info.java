/** Many runs that differ in what a file varies, trained and set side by side. */
@NullMarked
package io.sluice.cli.sweep;

import org.jspecify.annotations.NullMarked;
