/** Reading corpora: records become tokenized documents and ends of domains, or dead letters. */
@NullMarked
package io.sluice.jobs.prepare.read;

import org.jspecify.annotations.NullMarked;
