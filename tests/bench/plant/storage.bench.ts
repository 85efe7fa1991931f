import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import type { Bench } from '../bench.ts';
import { compare, median, repeating, timesOf } from '../compare.ts';

/** Writers that wait for each write before the next, as clients and running scripts do. */
const WRITERS = 64;

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const benches: Bench[] = [
  {
    area: 'storage',
    name: `group commit for ${WRITERS} writers, against a transaction for each write`,
    unit: '×',
    goal: { atLeast: 4 },
    run: () =>
      inFolder(async (folder) => {
        const store = openWorkspaceStore(join(folder, 'ours'));
        const peer = openDatabase(join(folder, 'peer.db'));
        const put = peer.prepare(
          'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        );
        const single = peer.transaction((key: string, value: string) => put.run(key, value));
        let count = 0;
        const key = () => `key.${(count += 1) % 10_000}`;
        const {
          ratio,
          ours,
          peer: alone,
        } = await compare(
          repeating(() => store.commits.run(() => store.settings.put(key(), count)), WRITERS),
          // Each waits for a turn of the event loop, as a write through the queue does.
          repeating(
            () =>
              new Promise<void>((done) => void setImmediate(() => done(void single.immediate(key(), String(count))))),
            WRITERS,
          ),
        );
        store.close();
        peer.close();
        return { figure: ratio, detail: `${Math.round(ours)} durable writes/s, ${Math.round(alone)} one by one` };
      }),
  },
  {
    area: 'storage',
    name: 'opening a workspace of 20 MB, checked page by page',
    unit: 'ms',
    goal: { atMost: 100 },
    run: () =>
      inFolder(async (folder) => {
        const filled = openWorkspaceStore(folder);
        await filled.commits.run(() => {
          for (let n = 0; n < 2_000; n += 1) filled.settings.put(`filler.${n}`, 'x'.repeat(10_000));
        });
        filled.close();
        const times = await timesOf(() => openWorkspaceStore(folder).close(), 9);
        return {
          figure: median(times),
          detail: `median of ${times.length}; slowest ${Math.max(...times).toFixed(0)} ms`,
        };
      }),
  },
];
