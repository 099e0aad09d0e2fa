@NullMarked
package io.sluice.client;

import org.jspecify.annotations.NullMarked;
