package io.sluice.refine.basis;

/**
 * What a topic is expected to become of the pool that its weights were made for.
 *
 * @param name of the topic
 * @param copies of documents, in all
 * @param effectiveSize documents of equal weight that would tell as much, {@code (sum w)^2 / sum
 *     w^2} over the pool (Kish 1965); 0 where nothing is reached
 * @param unreached share of the topic's distribution in clusters of which the pool has no document
 * @param cut share of the topic's copies that the bound on copies takes away: where it is above 0,
 *     the topic does not follow its distribution
 */
public record TopicOutlook(
    String name, double copies, double effectiveSize, double unreached, double cut) {}
