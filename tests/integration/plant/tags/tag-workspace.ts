import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '#domain/text/json';
import type { TagDefinition, TagKind, TagType, TagValue } from '#domain/tag/tag';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { CommitQueue } from '../../../../src-main/storage/commit-queue.ts';
import { openDatabase } from '../../../../src-main/storage/database.ts';
import { ErpOutboxRepository } from '../../../../src-main/storage/repositories/erp-outbox-repository.ts';
import { MachineOverrideRepository } from '../../../../src-main/storage/repositories/machine-override-repository.ts';
import { StorageValueRepository } from '../../../../src-main/storage/repositories/storage-value-repository.ts';
import { TagRepository } from '../../../../src-main/storage/repositories/tag-repository.ts';
import type { KindParts } from '../../../../src-main/plant/tags/kinds/index.ts';
import type { KindOfTag } from '../../../../src-main/plant/tags/kinds/kind.ts';
import { TagService } from '../../../../src-main/plant/tags/tag-service.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

export interface TagWorkspace {
  tags: TagService;
  clock: FakeClock;
  commits: CommitQueue;
  /** The log. Tests assert the entries that they expect. */
  logged: string[];
  database: ReturnType<typeof openDatabase>;
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
  } = {},
): TagWorkspace {
  const database = openDatabase(join(temporaryFolder(), 'workspace.db'));
  const clock = options.clock ?? new FakeClock();
  const commits = new CommitQueue(database, clock);
  const logged: string[] = [];
  const open = () => {
    const parts = {
      tags: new TagRepository(database),
      values: new StorageValueRepository(database),
      overrides: new MachineOverrideRepository(database),
      outbox: new ErpOutboxRepository(database),
      commits,
      clock: options.realTime ? systemClock : clock,
      log: (where: string, fault: unknown) =>
        logged.push(`${where}: ${fault instanceof Error ? fault.message : String(fault)}`),
    };
    const { kinds, valuesMb } = options;
    return new TagService({ ...parts, ...(kinds && { kinds: kinds(parts) }), ...(valuesMb && { valuesMb }) });
  };
  onTestFinished(() => {
    commits.close();
    database.close();
  });
  return { tags: open(), clock, commits, logged, database, reopen: open };
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
