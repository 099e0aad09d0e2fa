/** Answers of HTTP servers, as hostile as they may be. */
@NullMarked
package io.sluice.control.http;

import org.jspecify.annotations.NullMarked;
