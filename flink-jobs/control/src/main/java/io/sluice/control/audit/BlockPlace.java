package io.sluice.control.audit;

/**
 * Where a training block is in its dataset.
 *
 * @param lane that it is in
 * @param ordinal of it in the lane's part of the domain, from 0
 */
public record BlockPlace(String domain, int lane, long ordinal) {}
