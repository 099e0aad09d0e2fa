/**
 * Clusters of texts: embeddings, k-means, trees of clusters, and how many documents of a set fall
 * to each.
 */
@NullMarked
package io.sluice.refine.cluster;

import org.jspecify.annotations.NullMarked;
