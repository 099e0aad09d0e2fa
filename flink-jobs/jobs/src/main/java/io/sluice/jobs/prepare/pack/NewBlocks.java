package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.TokenBlock;
import java.util.function.BooleanSupplier;

/**
 * Writes those of a domain's blocks, and of what is said beside them, that are not committed.
 *
 * @param nothing whether all that comes now is committed
 */
record NewBlocks(CommittedSupply committed, BooleanSupplier nothing, DomainOutput output) {
  void training(TokenBlock block) {
    if (isNew(block.getLane(), block.getOrdinal(), committed.blocks())) {
      output.training(block);
    }
  }

  void heldOut(TokenBlock block) {
    if (isNew(block.getLane(), block.getOrdinal(), committed.evalBlocks())) {
      output.heldOut(block);
    }
  }

  void lineage(BlockLineage of) {
    if (isNew(of.getLane(), of.getOrdinal(), committed.blocks())) {
      output.lineage(of);
    }
  }

  void heldOutLineage(BlockLineage of) {
    if (isNew(of.getLane(), of.getOrdinal(), committed.evalBlocks())) {
      of.setHeldOut(true);
      output.lineage(of);
    }
  }

  private boolean isNew(int lane, long ordinal, long known) {
    return !nothing.getAsBoolean() && ordinal * output.spec().getLanes() + lane >= known;
  }
}
