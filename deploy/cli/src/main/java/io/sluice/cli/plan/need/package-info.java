/** What applying files would need, computed of what they and brokers say: topics, bytes, rights. */
@NullMarked
package io.sluice.cli.plan.need;

import org.jspecify.annotations.NullMarked;
