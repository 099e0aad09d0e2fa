/** What a service costs that has run for long, next to a young one. */
@NullMarked
package io.sluice.lab.bench.age;

import org.jspecify.annotations.NullMarked;
