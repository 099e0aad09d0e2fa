/** HTTP: who may ask, the API, its events, the page. */
@NullMarked
package io.sluice.serve.web;

import org.jspecify.annotations.NullMarked;
