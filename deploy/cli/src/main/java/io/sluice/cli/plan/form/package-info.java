/** Forms of a plan: for people, for programs, and for those who make topics, users and jobs. */
@NullMarked
package io.sluice.cli.plan.form;

import org.jspecify.annotations.NullMarked;
