import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { CommitQueue } from '../commit-queue.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type {
  StoredWrite,
  WriteIntent,
  WriteIntentRepository,
  WriteTargets,
} from '../repositories/write-intent-repository.ts';
import { applyStoredWrite } from '../repositories/write-intent-repository.ts';
import type { CommitEvidence, CommitOutcome } from './commit-evidence.ts';
import type { PlantDatabase } from './plant-database.ts';
import { PlantFailure } from './plant-transaction.ts';

export interface RecoveryParts extends WriteTargets {
  intents: WriteIntentRepository;
  commits: CommitQueue;
  plant: Pick<PlantDatabase, 'outcomeOf' | 'path'>;
  log: (message: string, details: Record<string, unknown>) => void;
}

const evidenceShape = z.union([
  z.object({ file: z.string(), mode: z.literal('journal'), counter: z.number() }),
  z.object({ file: z.string(), mode: z.literal('wal'), salts: z.string(), frames: z.number() }),
]);

/** The outcome of the interrupted write sets. */
export interface RecoveredSets {
  finished: number;
  takenBack: number;
  /** Number of intents without a known outcome. */
  dropped: number;
}

/** How long to wait for another program that holds plant.db, ms: longer than leftover processes need to end. */
const PATIENCE_MS = 10_000;

/**
 * Finishes the write sets over workspace.db and plant.db during which Tagwright ended: if plant.db was committed, the
 * rest is written here, otherwise nothing of the set is kept. Must be called before tags are loaded. Throws UNAVAILABLE
 * if another program holds plant.db, because the outcome is unknown until it releases the file.
 */
export async function finishWriteIntents(parts: RecoveryParts): Promise<RecoveredSets> {
  const sets: RecoveredSets = { finished: 0, takenBack: 0, dropped: 0 };
  for (const intent of parts.intents.all()) {
    const outcome = await outcomeOf(intent, parts);
    const values = valuesOf(intent);
    if (outcome === null && values.length > 0) {
      const tags = values.map((write) => (write.to === 'erp' ? write.row.tagPath : `${write.to} value`));
      parts.log('the outcome of an interrupted write set is unknown; its writes to the workspace are dropped', {
        intent: intent.id,
        writes: tags.slice(0, 20),
      });
    }
    await parts.commits.run(() => {
      for (const write of intent.writes) {
        if (outcome !== null && outcome !== 'undone') apply(write, parts);
        // Only plant.db may have changed: the cause is recorded, marked as uncertain.
        else if (outcome === null && write.to === 'journal') record(write.entries, 'uncertain', parts);
        // Sets with the same cause followed, whose intents did not reach the disk.
        if (outcome === 'continued' && write.to === 'journal' && values.length === 0)
          record(write.entries, 'again', parts);
      }
      parts.intents.delete(intent.id);
    });
    sets[outcome === null ? 'dropped' : outcome === 'undone' ? 'takenBack' : 'finished'] += 1;
  }
  return sets;
}

/** Its writes, without their causes. */
const valuesOf = ({ writes }: WriteIntent): StoredWrite[] => writes.filter(({ to }) => to !== 'journal');

async function outcomeOf(intent: WriteIntent, { plant, log }: RecoveryParts): Promise<CommitOutcome | null> {
  const evidence = evidenceShape.safeParse(intent.evidence);
  if (!evidence.success) return null;
  const before: CommitEvidence = evidence.data;
  for (const until = performance.now() + PATIENCE_MS; ; await delay(50)) {
    try {
      return await plant.outcomeOf(before);
    } catch (thrown) {
      if (!(thrown instanceof PlantFailure) || thrown.fault !== 'busy') {
        log('plant.db cannot be opened', { reason: messageOf(thrown) });
        return null;
      }
      // The workspace does not wait for causes alone.
      if (valuesOf(intent).length === 0) return null;
      if (performance.now() < until) continue;
      throw new TagwrightError(
        'UNAVAILABLE',
        `An interrupted write must be finished, but another program holds "${plant.path}". Close it and start again.`,
        { cause: thrown },
      );
    }
  }
}

function apply(write: StoredWrite, { log, ...targets }: RecoveryParts): void {
  try {
    applyStoredWrite(write, targets);
  } catch (thrown) {
    log('a write of an interrupted set failed', { to: write.to, reason: messageOf(thrown) });
  }
}

function record(entries: string, how: 'uncertain' | 'again', { log, journal }: RecoveryParts): void {
  try {
    journal.repeat(entries, how);
  } catch (thrown) {
    log('the cause of an interrupted set cannot be recorded', { reason: messageOf(thrown) });
  }
}

/** Logs the leftovers of the previous process, and their recovery. */
export function logRecovery(
  store: Pick<WorkspaceStore, 'lock' | 'recoveredBytes' | 'windows'>,
  sets: RecoveredSets,
  log: Log,
): void {
  const { interrupted } = store.lock;
  const unfinished = sets.finished + sets.takenBack + sets.dropped;
  if (interrupted === null && store.recoveredBytes === 0 && unfinished === 0) return;
  log.warn('The previous process that held the workspace did not stop normally. Confirmed data is not affected.', {
    event: 'recovery.done',
    before: interrupted && { ...interrupted },
    walBytes: store.recoveredBytes,
    writeSets: { ...sets },
    windowsRestored: store.windows.openCount(),
  });
}
