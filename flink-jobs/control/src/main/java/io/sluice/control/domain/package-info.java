/** What is known of domains: where their corpora end, and what of them is prepared. */
@NullMarked
package io.sluice.control.domain;

import org.jspecify.annotations.NullMarked;
