/** Endpoints over HTTP that speak the chat protocol of OpenAI. */
@NullMarked
package io.sluice.refine.synthesis.http;

import org.jspecify.annotations.NullMarked;
