import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CheckResult, Diagnosis, DiagnosisStep } from '#domain/workspace/diagnosis';
import { DiagnosticsService } from '../../../../src-main/workspace/diagnostics/diagnostics-service.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { listenOnLoopback } from '../../../../src-main/platform/http/loopback.ts';
import { builtProduct, NODE, ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

// The check of the script host needs a build.
beforeAll(builtProduct, 180_000);

/** A closed workspace with enough data to have pages of every sort. */
function soundWorkspace(): string {
  const folder = join(temporaryFolder(), 'plant');
  const store = openWorkspaceStore(folder);
  store.database.exec(`INSERT INTO script_groups (name, name_key) VALUES ('Packing', 'packing')`);
  const tag = store.database.prepare(
    `INSERT INTO tags (path, kind, type, description, unit, settings) VALUES (?, 'storage', 'Double', ?, '', '{}')`,
  );
  store.database.transaction(() => {
    for (let at = 0; at < 500; at += 1) tag.run(`Plant.Line${at}.Speed.Value`, 'x'.repeat(200));
  })();
  store.close();
  const plant = new DatabaseSync(join(folder, 'plant.db'));
  plant.exec(`PRAGMA journal_mode = WAL; BEGIN; CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)`);
  const order = plant.prepare('INSERT INTO orders (note) VALUES (?)');
  for (let at = 0; at < 500; at += 1) order.run('y'.repeat(200));
  plant.exec('COMMIT');
  plant.close();
  chmodSync(join(folder, 'plant.db'), 0o600);
  return folder;
}

/** Everything in a folder, with times and modes. */
function stateOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const { mtimeMs, mode, size, isFile } = Object.assign(statSync(path));
      const bytes = isFile.call(statSync(path)) ? readFileSync(path).toString('base64') : '';
      return `${name} ${mtimeMs} ${mode} ${size} ${bytes}`;
    });
}

interface Diagnosed extends Diagnosis {
  of(id: string): CheckResult;
  steps: DiagnosisStep[];
}

/** Diagnoses a workspace, which must stay unchanged. */
async function diagnose(workspace: string, { full = false } = {}): Promise<Diagnosed> {
  const before = stateOf(workspace);
  const service = new DiagnosticsService({ workspace, root: ROOT, version: '1.2.3', instance: null });
  const steps: DiagnosisStep[] = [];
  for await (const step of service.run({ full }, new AbortController().signal)) steps.push(step);
  expect(stateOf(workspace)).toEqual(before);
  const diagnosis = steps.at(-1)?.diagnosis;
  if (!diagnosis) throw new Error('there is no diagnosis');
  expect(steps.flatMap(({ checks }) => checks)).toEqual(diagnosis.checks);
  const of = (id: string) => {
    const found = diagnosis.checks.find((check) => check.id === id);
    if (!found) throw new Error(`there is no check ${id}`);
    return found;
  };
  return { ...diagnosis, of, steps };
}

/** The checks with problems, except those that depend on the machine. */
const notFine = ({ checks }: Diagnosis): string[] =>
  checks
    .filter(({ id, state }) => state !== 'ok' && !/^(?:disk|port|clock\.zone)/.test(id))
    .map(({ id, state }) => `${id} ${state}`);

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  for (let offset = 0; offset < 64; offset += 1) bytes[at + offset] = (bytes[at + offset] ?? 0) ^ 0xa5;
  writeFileSync(file, bytes);
}

describe('an unused workspace', () => {
  test('without damage has no problems, and every check has a fixed name', async () => {
    const diagnosis = await diagnose(soundWorkspace());
    expect(notFine(diagnosis)).toEqual([]);
    expect(diagnosis.of('scripts.host').detail).toMatch(/^started and ran "return 1 \+ 1" in \d+ ms$/);
    expect(diagnosis.of('database.workspace').detail).toMatch(/^whole, \d/);
    expect(new Set(diagnosis.checks.map(({ id }) => id)).size).toBe(diagnosis.checks.length);
    expect(diagnosis.steps.some(({ doing }) => /workspace\.db: \d+ of \d+ tables/.test(doing))).toBe(true);
    const full = await diagnose(soundWorkspace(), { full: true });
    expect([notFine(full), full.full, full.of('database.plant').detail]).toEqual([
      [],
      true,
      expect.stringContaining('every index checked'),
    ]);
  });

  test('that is missing is not a problem, and is not created', async () => {
    const folder = join(temporaryFolder(), 'none');
    const diagnosis = await diagnose(folder);
    const found = notFine(diagnosis).filter((check) => !check.endsWith('not-checked'));
    expect(found).toEqual(['version.workspace warning']);
    expect(diagnosis.of('version.workspace')).toMatchObject({ state: 'warning', fix: expect.stringContaining('-w') });
    expect(existsSync(folder)).toBe(false);
  });

  test('with flipped bits is damaged, and the fix names the newest backup', async () => {
    const folder = soundWorkspace();
    const file = join(folder, 'workspace.db');
    mkdirSync(join(folder, 'backups'), { mode: 0o700 });
    const backup = 'workspace-20260101T000000000Z-manual.db';
    copyFileSync(file, join(folder, 'backups', backup));
    // In the middle of the tags, so only a check of that page detects it.
    flip(file, readFileSync(file).indexOf('Plant.Line250.') - 40);
    const diagnosis = await diagnose(folder);
    expect(diagnosis.state).toBe('problem');
    expect(diagnosis.of('database.workspace')).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/^damaged: /),
      fix: `Stop Tagwright and go back to the newest backup: tagwright backups restore ${backup}`,
    });
    expect(diagnosis.of('database.plant').state).toBe('ok');
  });

  test('with a damaged plant.db has one problem', async () => {
    const folder = soundWorkspace();
    const file = join(folder, 'plant.db');
    flip(file, 4_096);
    const diagnosis = await diagnose(folder);
    expect(diagnosis.of('database.plant')).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/^damaged/),
    });
    expect(diagnosis.of('database.workspace').state).toBe('ok');
  });

  test.each([
    ['cut off', (file: string) => truncateSync(file, 10_000), /^damaged: it is cut off/],
    ['empty', (file: string) => truncateSync(file, 0), /^damaged: it is empty/],
    ['no database', (file: string) => writeFileSync(file, 'x'.repeat(5_000)), /^damaged: it is not a SQLite/],
  ])('whose database is %s is damaged', async (_, damage, detail) => {
    const folder = soundWorkspace();
    damage(join(folder, 'workspace.db'));
    const diagnosis = await diagnose(folder);
    expect(diagnosis.of('database.workspace')).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(detail),
      fix: expect.stringContaining('There is no backup'),
    });
    expect(diagnosis.of('version.workspace').state).toBe('not-checked');
  });

  test('of a newer version is a problem, but its pages are still checked', async () => {
    const folder = soundWorkspace();
    const database = new DatabaseSync(join(folder, 'workspace.db'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    const diagnosis = await diagnose(folder);
    expect(diagnosis.of('version.workspace')).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/^The workspace has schema 999; this version knows \d+$/),
      fix: expect.stringContaining('Update Tagwright'),
    });
    expect(diagnosis.of('database.workspace').state).toBe('ok');
  });

  test('with dangling references has a problem', async () => {
    const folder = soundWorkspace();
    const database = new DatabaseSync(join(folder, 'workspace.db'), { enableForeignKeyConstraints: false });
    database.exec(`INSERT INTO machine_overrides (tag_id, value) VALUES (9999, '1')`);
    database.close();
    expect((await diagnose(folder)).of('database.workspace')).toMatchObject({
      state: 'problem',
      detail: '1 reference to a row that is missing',
    });
  });

  test('without workspace.db but with its log has a problem', async () => {
    const folder = soundWorkspace();
    rmSync(join(folder, 'workspace.db'));
    writeFileSync(join(folder, 'workspace.db-wal'), 'x'.repeat(100), { mode: 0o600 });
    expect((await diagnose(folder)).of('database.workspace')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('workspace.db is missing, but workspace.db-wal'),
    });
  });

  test.skipIf(process.platform === 'win32')('whose files other users may read has a problem', async () => {
    const folder = soundWorkspace();
    chmodSync(join(folder, 'workspace.db'), 0o644);
    chmodSync(join(folder, 'plant.db'), 0o660);
    expect((await diagnose(folder)).of('files.permissions')).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/2 files: (?=.*workspace\.db \(644\))(?=.*plant\.db \(660\))/),
      fix: expect.stringContaining('chmod -R go-rwx'),
    });
  });

  test('with future times reports that the clock was set back', async () => {
    const folder = soundWorkspace();
    const future = new Date(Date.now() + 5 * 3_600_000);
    utimesSync(join(folder, 'plant.db'), future, future);
    expect((await diagnose(folder)).of('clock.time')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('the last change of plant.db is of'),
    });
  });

  test('with settings that no version accepts has a problem that names them', async () => {
    const folder = soundWorkspace();
    const database = new DatabaseSync(join(folder, 'workspace.db'));
    database.exec(`INSERT INTO settings VALUES ('hosts.count', '9999'), ('api.caFiles', '["/no/such/ca.pem"]')`);
    database.close();
    const diagnosis = await diagnose(folder);
    expect(diagnosis.of('settings.values')).toMatchObject({
      state: 'warning',
      detail: 'hosts.count: the stored value is invalid, so the default is used',
    });
    expect(diagnosis.of('settings.certificates')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('"/no/such/ca.pem" cannot be read'),
    });
  });

  test('with errors in the log of the last day has a problem with their count', async () => {
    const folder = soundWorkspace();
    mkdirSync(join(folder, 'logs'), { mode: 0o700 });
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const lines = [`${at(30)} error old`, `${at(3)} error first`, `${at(2)} warn  slow`, `${at(1)} error rules failed`];
    writeFileSync(join(folder, 'logs', 'tagwright.log'), `${lines.join('\n')}\n`, { mode: 0o600 });
    expect((await diagnose(folder)).of('log.errors')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^2 errors, 1 warning; the last error, .*: rules failed$/),
    });
  });
});

/** A process that opens a workspace and is killed, so that its last writes are only in the log. */
async function killed(folder: string): Promise<void> {
  const program = `
    import { openWorkspaceStore } from ${JSON.stringify(join(ROOT, 'src-main/storage/workspace/workspace-store.ts'))};
    const store = openWorkspaceStore(${JSON.stringify(folder)});
    store.database.exec("INSERT INTO write_intents (evidence, writes, made_at) VALUES ('{}', '[]', '2026-01-01T00:00:00.000Z')");
    console.log('ready');
    // The engine closes a database that nothing uses, and a closed one has no log.
    setInterval(() => store.database, 1000);`;
  const child = spawn(NODE, ['--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a workspace that a killed process left', () => {
  test('is read with the contents of its log, and is not recovered', async () => {
    const folder = soundWorkspace();
    await killed(folder);
    const temporary = temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(statSync(join(folder, 'workspace.db-wal')).size).toBeGreaterThan(0);
    const diagnosis = await diagnose(folder);
    expect(diagnosis.of('leftovers.lock')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^instance\.json names pid \d+, which has ended without closing the workspace/),
    });
    // It is only in the log.
    expect(diagnosis.of('leftovers.writes')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('1 write over workspace.db and plant.db interrupted'),
    });
    expect(diagnosis.of('database.workspace').state).toBe('ok');
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('has a problem that lists the files of interrupted work', async () => {
    const folder = soundWorkspace();
    mkdirSync(join(folder, 'backups'), { mode: 0o700 });
    for (const name of [
      'workspace.db.restored',
      'sample.unfinished',
      'backups/workspace-20260101T000000000Z.db.partial',
    ])
      writeFileSync(join(folder, name), '', { mode: 0o600 });
    expect((await diagnose(folder)).of('leftovers.files')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^3 files of interrupted work: /),
    });
  });

  test('whose lock file is something else has a problem', async () => {
    const folder = soundWorkspace();
    writeFileSync(join(folder, 'instance.lock'), 'x'.repeat(2_000), { mode: 0o600 });
    expect((await diagnose(folder)).of('leftovers.lock')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('is not a lock file'),
      fix: 'Delete that file.',
    });
  });
});

describe('a port', () => {
  test('used by another program is a problem that names the program', async () => {
    const folder = soundWorkspace();
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await listenOnLoopback(server, 0);
    const database = new DatabaseSync(join(folder, 'workspace.db'));
    database.prepare('INSERT INTO settings VALUES (?, ?)').run('events.port', String(port));
    database.close();
    const found = (await diagnose(folder)).of('port.events');
    expect(found).toMatchObject({ state: 'problem', fix: expect.stringMatching(/settings set events\.port=\d+$/) });
    expect(found.detail).toContain(`port ${port} is used by`);
    if (process.platform === 'linux') expect(found.detail).toContain(`(pid ${process.pid})`);
  });
});

describe('a diagnosis', () => {
  test('ends at once with everything it started when it is not needed', async () => {
    const folder = soundWorkspace();
    const abort = new AbortController();
    const service = new DiagnosticsService({ workspace: folder, root: ROOT, version: '1.2.3', instance: null });
    let last: DiagnosisStep | null = null;
    for await (const step of service.run({ full: true }, abort.signal)) {
      last = step;
      if (step.doing.includes('workspace.db')) abort.abort();
    }
    expect(last?.diagnosis).toBeNull();
  });

  test('continues if a check fails', async () => {
    const service = new DiagnosticsService({
      workspace: soundWorkspace(),
      root: ROOT,
      version: '1.2.3',
      instance: null,
      checks: [
        { id: 'a', group: 'A', title: 'a', run: () => Promise.reject(new Error('broken')) },
        { id: 'b', group: 'A', title: 'b', run: () => ({ state: 'ok', detail: 'fine' }) },
      ],
    });
    const steps: DiagnosisStep[] = [];
    for await (const step of service.run({}, new AbortController().signal)) steps.push(step);
    expect(steps.at(-1)?.diagnosis?.checks).toEqual([
      { id: 'a', group: 'A', title: 'a', state: 'not-checked', detail: 'the check failed: broken', fix: null },
      { id: 'b', group: 'A', title: 'b', state: 'ok', detail: 'fine', fix: null },
    ]);
  });
});
