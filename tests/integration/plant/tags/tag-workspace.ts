import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '#domain/text/json';
import type { TagDefinition, TagKind, TagType, TagValue } from '#domain/tag/tag';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import type { CommitQueue } from '../../../../src-main/storage/commit-queue.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import type { KindParts } from '../../../../src-main/plant/tags/kinds/index.ts';
import type { KindOfTag } from '../../../../src-main/plant/tags/kinds/kind.ts';
import type { TagService } from '../../../../src-main/plant/tags/tag-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';

export interface TagWorkspace {
  tags: TagService;
  clock: FakeClock;
  commits: CommitQueue;
  /** The log. Tests assert the entries that they expect. */
  logged: string[];
  database: WorkspaceStore['database'];
  outbox: WorkspaceStore['outbox'];
  /** The same file opened again, as after a restart. */
  reopen: () => TagService;
}

/** Tags over a real workspace file, in a folder for the test. */
export function tagWorkspace(
  options: {
    kinds?: (parts: KindParts) => KindOfTag[];
    clock?: FakeClock;
    realTime?: boolean;
    valuesMb?: () => number;
    erpRecords?: () => number;
  } = {},
): TagWorkspace {
  const clock = options.clock ?? new FakeClock();
  const store = openStore(join(temporaryFolder(), 'workspace'), { clock });
  const logged: string[] = [];
  const log = (where: string, fault: unknown): void =>
    void logged.push(`${where}: ${fault instanceof Error ? fault.message : String(fault)}`);
  const parts = { log, clock: options.realTime ? systemClock : clock };
  const { kinds, valuesMb, erpRecords } = options;
  const { tags, reopen } = tagsOver(store, {
    ...parts,
    ...(kinds && { kinds: kinds({ ...store, ...parts }) }),
    ...(valuesMb && { valuesMb }),
    ...(erpRecords && { erpRecords }),
  });
  onTestFinished(() => store.close());
  const { commits, database, outbox } = store;
  return { tags, clock, commits, logged, database, outbox, reopen };
}

export function tagOf(path: string, kind: TagKind, type: TagType, settings: JsonObject = {}): TagDefinition {
  return { path, kind, type, description: '', unit: '', settings };
}

export const storage = (path: string, type: TagType = 'Double', settings: JsonObject = {}): TagDefinition =>
  tagOf(path, 'storage', type, settings);

export const machine = (path: string, signal: JsonObject, type: TagType = 'Double'): TagDefinition =>
  tagOf(path, 'machine', type, { signal });

/** The result of a Get of values in memory. A promise is an error. */
export function readNow(tags: TagService, input: Parameters<TagService['get']>[0]): TagValue[] {
  const values = tags.get(input);
  if (values instanceof Promise) throw new Error('the values of these tags are in memory and need no promise');
  return values;
}

/** The same for one path. */
export function readOne(tags: TagService, path: string, scope: { diagram?: string; location?: string } = {}): TagValue {
  const [value] = readNow(tags, { paths: [path], ...scope });
  if (!value) throw new Error('a Get of one path gives one value');
  return value;
}
