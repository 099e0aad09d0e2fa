/** In which order a domain's own documents are trained on. */
@NullMarked
package io.sluice.mixture.curriculum;

import org.jspecify.annotations.NullMarked;
