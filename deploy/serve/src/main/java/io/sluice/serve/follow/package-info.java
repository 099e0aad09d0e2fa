/** Topics, followed for as long as somebody looks. */
@NullMarked
package io.sluice.serve.follow;

import org.jspecify.annotations.NullMarked;
