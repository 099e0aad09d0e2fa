/** The JSON and CSV of what runs do. */
@NullMarked
package io.sluice.serve.view;

import org.jspecify.annotations.NullMarked;
