/** One run's controller: feedback, supply and commands become control log entries. */
@NullMarked
package io.sluice.control.controller;

import org.jspecify.annotations.NullMarked;
