import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { CommitQueue } from '../commit-queue.ts';
import type {
  StoredWrite,
  WriteIntent,
  WriteIntentRepository,
  WriteTargets,
} from '../repositories/write-intent-repository.ts';
import { applyStoredWrite } from '../repositories/write-intent-repository.ts';
import type { CommitEvidence } from './commit-evidence.ts';
import type { PlantDatabase } from './plant-database.ts';
import { PlantFailure } from './plant-transaction.ts';

export interface RecoveryParts extends WriteTargets {
  intents: WriteIntentRepository;
  commits: CommitQueue;
  plant: Pick<PlantDatabase, 'wasCommitted' | 'path'>;
  log: (message: string, details: Record<string, unknown>) => void;
}

const evidenceShape = z.union([
  z.object({ file: z.string(), mode: z.literal('journal'), counter: z.number() }),
  z.object({ file: z.string(), mode: z.literal('wal'), salts: z.string(), frames: z.number() }),
]);

/** What became of the write sets that were broken off. */
export interface RecoveredSets {
  finished: number;
  takenBack: number;
  /** Those that could not be judged. */
  dropped: number;
}

/** How long another program that holds plant.db is waited for, ms: longer than what was left behind needs to end. */
const PATIENCE_MS = 10_000;

/**
 * Finishes the write sets over workspace.db and plant.db in whose middle Tagwright ended: where plant.db was committed,
 * the rest is written here, else nothing of the set is kept. To be called before tags are loaded. Throws UNAVAILABLE
 * where another program holds plant.db, since nothing can be told until it lets go.
 */
export async function finishWriteIntents(parts: RecoveryParts): Promise<RecoveredSets> {
  const sets: RecoveredSets = { finished: 0, takenBack: 0, dropped: 0 };
  for (const intent of parts.intents.all()) {
    const committed = await isCommitted(intent, parts);
    if (committed === null) {
      const tags = intent.writes.map((write) => (write.to === 'erp' ? write.row.tagPath : `${write.to} value`));
      parts.log('a write set that was broken off cannot be judged; what it wrote to the workspace is dropped', {
        intent: intent.id,
        writes: tags.slice(0, 20),
      });
    }
    await parts.commits.run(() => {
      if (committed) for (const write of intent.writes) apply(write, parts);
      parts.intents.delete(intent.id);
    });
    sets[committed === null ? 'dropped' : committed ? 'finished' : 'takenBack'] += 1;
  }
  return sets;
}

async function isCommitted(intent: WriteIntent, { plant, log }: RecoveryParts): Promise<boolean | null> {
  const evidence = evidenceShape.safeParse(intent.evidence);
  if (!evidence.success) return null;
  const before: CommitEvidence = evidence.data;
  for (const until = performance.now() + PATIENCE_MS; ; await delay(50)) {
    try {
      return await plant.wasCommitted(before);
    } catch (thrown) {
      if (!(thrown instanceof PlantFailure) || thrown.fault !== 'busy') {
        log('plant.db cannot be opened', { reason: messageOf(thrown) });
        return null;
      }
      if (performance.now() < until) continue;
      throw new TagwrightError(
        'UNAVAILABLE',
        `A write that was broken off must be finished, and another program holds "${plant.path}". Close it and start again.`,
        { cause: thrown },
      );
    }
  }
}

function apply(write: StoredWrite, { log, ...targets }: RecoveryParts): void {
  try {
    applyStoredWrite(write, targets);
  } catch (thrown) {
    log('a write of a set that was broken off cannot be made', { to: write.to, reason: messageOf(thrown) });
  }
}
