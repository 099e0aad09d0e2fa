package io.sluice.control.audit;

import java.util.Set;

/**
 * The documents of a block.
 *
 * @param documents each once, in their order: their ids, or the hashes of these
 * @param named whether they are ids; hashes are where not all ids are known whole
 */
public record BlockContent(BlockPlace place, Set<String> documents, boolean named) {}
