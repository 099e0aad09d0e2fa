/** Language models behind endpoints, as commands ask them about documents. */
@NullMarked
package io.sluice.cli.endpoint;

import org.jspecify.annotations.NullMarked;
