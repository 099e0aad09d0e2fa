/** Neural networks of others, run by DJL on one thread each. */
@NullMarked
package io.sluice.models.network;

import org.jspecify.annotations.NullMarked;
