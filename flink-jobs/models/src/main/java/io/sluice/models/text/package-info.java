/** What neural models tell of texts, and how such models are taken from others. */
@NullMarked
package io.sluice.models.text;

import org.jspecify.annotations.NullMarked;
