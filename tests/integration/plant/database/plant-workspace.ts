import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import type { TagDefinition, TagKind, TagType, TagValue, TagWrite } from '#domain/tag/tag';
import { hostRuntime, productRoot } from '../../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../../src-main/platform/files/programs.ts';
import { PlantDatabase } from '../../../../src-main/storage/plant/plant-database.ts';
import type { WorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { DbService } from '../../../../src-main/plant/tags/db-service.ts';
import { createKinds } from '../../../../src-main/plant/tags/kinds/index.ts';
import type { BatchKind, KindOfTag, WriteView } from '../../../../src-main/plant/tags/kinds/kind.ts';
import { NO_SCRIPTS } from '../../../../src-main/plant/tags/values/script-evaluator.ts';
import type { CommitStep } from '../../../../src-main/plant/tags/values/tag-transactions.ts';
import type { TagService } from '../../../../src-main/plant/tags/tag-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { keptLog, tagsOver } from '../../../support/services/wired-tags.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const ROOT = productRoot();

export interface PlantWorkspace {
  directory: string;
  /** plant.db. */
  file: string;
  store: WorkspaceStore;
  plant: PlantDatabase;
  tags: TagService;
  db: DbService;
  settings: { 'db.statementMs': number; 'db.maxRows': number };
  logged: string[];
  /** Runs SQL on plant.db as another program does. Returns the rows of the last statement. */
  sql: (text: string) => unknown[];
  close: () => Promise<void>;
}

export const openPlant = (directory: string, settings: PlantWorkspace['settings']): PlantDatabase =>
  new PlantDatabase({
    directory,
    nodeBinary: hostRuntime(ROOT).node,
    hostFile: programFile('plant-host', ROOT),
    settings: { get: () => settings },
  });

/** Tags over a real workspace with a real plant.db and its processes. First runs `setUp` on plant.db. */
export async function plantWorkspace(
  setUp = '',
  { onCommitStep, kinds = [] }: { onCommitStep?: (step: CommitStep) => void; kinds?: KindOfTag[] } = {},
): Promise<PlantWorkspace> {
  const directory = temporaryFolder();
  const file = join(directory, 'plant.db');
  const settings = { 'db.statementMs': 5_000, 'db.maxRows': 10_000 };
  const store = openStore(directory);
  const plant = openPlant(directory, settings);
  const { log, logged } = keptLog();
  const parts = { ...store, plant, log };
  const all = [...createKinds(parts), ...kinds];
  const { tags } = tagsOver(store, { plant, log, kinds: all, ...(onCommitStep && { onCommitStep }) });
  const close = async () => {
    tags.close();
    await plant.close();
    store.close();
  };
  onTestFinished(close);
  const sql = (text: string) => runSql(file, text);
  if (setUp !== '') sql(setUp);
  return { directory, file, store, plant, tags, db: new DbService(plant), settings, logged, sql, close };
}

export function runSql(file: string, text: string): unknown[] {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  try {
    if (!/^\s*(SELECT|PRAGMA)/i.test(text)) {
      database.exec(text);
      return [];
    }
    return database
      .prepare(text)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

export const dbTag = (path: string, type: TagType, sqls: { readSql?: string; writeSql?: string }): TagDefinition => ({
  path,
  kind: 'db',
  type,
  description: '',
  unit: '',
  settings: sqls,
});

export async function one(tags: TagService, path: string): Promise<TagValue> {
  const [value] = await tags.get({ paths: [path] });
  if (!value) throw new Error('a Get of one path gives one value');
  return value;
}

export const write = (tag: string, value: TagWrite['value']): TagWrite => ({ tag, value });

/** A statement that never ends, and the time of one that may run longer than the timeout of any test. */
export const ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
export const HOURS = 3_600_000;

/** A statement of some 10 ms on an idle machine, with `given` added to its result. */
export const legalSelect = (given: string | number): string =>
  `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000) SELECT count(*) + ${given} FROM c`;

/** A run that ends when its controller aborts. */
export function runOf(
  { tags }: Pick<PlantWorkspace, 'tags'>,
  end: AbortController,
  { dryRun = false, root = {} } = {},
) {
  const scripts: ScriptEvaluator = { ...NO_SCRIPTS, signal: end.signal, root };
  return tags.session({ dryRun, scripts });
}

/** A kind in place of script tags, which does what the test says when a tag is read or written. */
export function scriptedKind({
  onRead,
  onWrite,
}: {
  onRead?: (path: string) => TagValue['value'];
  /** Rejects the write with what it throws. */
  onWrite?: (path: string, value: TagWrite['value'], view: WriteView) => Promise<void>;
}): BatchKind {
  const nothing = () => undefined;
  const valueOf = (path: string, value: TagValue['value']): TagValue => ({
    path,
    value,
    quality: 'Good',
    type: 'Json',
  });
  return {
    kind: 'script',
    mode: 'batch',
    parse: (settings) => ({ ok: true, settings }),
    attach: nothing,
    detach: nothing,
    erase: nothing,
    retype: nothing,
    changesAt: () => Infinity,
    read: (tags) => tags.map(({ path }) => valueOf(path, onRead?.(path) ?? null)),
    async prepare({ tag: { path }, value }, view) {
      try {
        await onWrite?.(path, value, view);
      } catch (thrown) {
        return { ok: false, reason: String(thrown) };
      }
      return { ok: true, write: { before: null, written: valueOf(path, null), apply: nothing, committed: nothing } };
    },
  };
}

/** A tag without settings. */
export const plainTag = (path: string, kind: TagKind, type: TagType): TagDefinition => ({
  path,
  kind,
  type,
  description: '',
  unit: '',
  settings: {},
});
