package io.sluice.refine.model;

import java.util.function.Function;

/**
 * Reads models of one kind.
 *
 * @param kind that {@link ModelDirectory#kind()} must be
 * @param type of what it gives, such as a classifier's interface
 * @param read throws a {@link io.sluice.control.error.BadInputException} if the directory is not as
 *     described
 */
public record ModelReader<T>(String kind, Class<T> type, Function<ModelDirectory, T> read) {}
