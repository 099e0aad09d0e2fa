/** What is measured for each domain on held-out blocks and batches. */
@NullMarked
package io.sluice.djl.measure;

import org.jspecify.annotations.NullMarked;
