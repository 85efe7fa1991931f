import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src-main/storage/migrations/index.ts';
import { descendantsOf, isRunning, untilOneLoops } from '../../support/product/processes.ts';
import { builtProduct, tagwright } from '../../support/product/product.ts';
import { clientOf, reopened, serve, setTarget, target, TARGET } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const RUN = { context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null }, dryRun: false };

async function untilEnd(stream: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const value of stream) if (value === undefined) break;
  } catch {
    // Cut off.
  }
  return 'ended';
}

describe('a restore in a running instance', () => {
  test('ends runs, keeps the replaced data, ports and event ids; commands wait', async () => {
    const { workspace, port, pid } = await serve(temporaryFolder());
    const client = await clientOf(workspace);
    await setTarget(client, 111);
    const made = await client.backups.create();
    await setTarget(client, 222);
    const { lastEvent } = await client.events.createTest({ count: 3 });
    const events = `http://127.0.0.1:${port}/api/events?limit=1`;
    const rowOf = async (id: number | null) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/events/${id}`);
      return ((await response.json()) as { ResultTableRecordId: number }).ResultTableRecordId;
    };
    const lastRow = await rowOf(lastEvent);
    const before = await fetch(events);
    const tag = before.headers.get('etag');
    const { startedAt } = await client.app.info();
    const address = readFileSync(join(workspace, 'instance.json'), 'utf8');
    await client.settings.update({ 'limits.scriptMs': 600_000, 'limits.totalMs': 600_000 });

    const ended = client.runs.execute({ ...RUN, body: 'for (;;);' }).catch(() => 'ended');
    const stream = await client.tags.watch({ paths: [TARGET] });
    await stream.next();
    await untilOneLoops(pid);
    const former = descendantsOf(pid);
    expect(await client.backups.contents({ name: made.name })).toMatchObject({
      backup: made,
      holds: { scripts: expect.any(Number), drafts: 0 },
      now: { scripts: expect.any(Number) },
    });
    expect(await client.backups.restore({ name: made.name })).toEqual(made);
    // A command waits during that time; a second instance is always rejected.
    const [listed, second] = await Promise.all([
      tagwright(['tags', 'get', TARGET, '--json', '-w', workspace]),
      tagwright(['serve', '-w', workspace, '--no-ui', '--port', '0']),
    ]);
    expect([listed.code, JSON.parse(listed.out)[0].value, second.code]).toEqual([0, 111, 3]);
    const { restored, eventsApi } = await reopened(workspace, startedAt);
    expect(await ended).toBe('ended');
    expect(await untilEnd(stream)).toBe('ended');
    expect(restored).toEqual({ backup: made.name, kept: expect.stringMatching(/-manual\.db$/), problem: null });
    expect([eventsApi, readFileSync(join(workspace, 'instance.json'), 'utf8')]).toEqual([
      `http://127.0.0.1:${port}`,
      address,
    ]);

    const after = await clientOf(workspace);
    expect(await target(after)).toBe(111);
    expect((await after.settings.get())['limits.scriptMs']).toBe(5_000);
    const unchanged = await fetch(events, { headers: { 'if-none-match': tag ?? '' } });
    expect([tag, unchanged.status]).toEqual([expect.any(String), 200]);
    const { firstEvent } = await after.events.createTest({ count: 1 });
    expect(firstEvent).toBeGreaterThan(lastEvent ?? Number.NaN);
    expect(await rowOf(firstEvent)).toBeGreaterThan(lastRow);

    // The replaced workspace is available as a normal backup.
    const again = await after.app.info();
    former.push(...descendantsOf(pid));
    await after.backups.restore({ name: restored?.kept ?? '' });
    await reopened(workspace, again.startedAt);
    expect(await target(await clientOf(workspace))).toBe(222);
    await expect.poll(() => former.filter(isRunning)).toEqual([]);
    expect(readdirSync(workspace).filter((name) => name.includes('restored'))).toEqual([]);
  });

  test('a missing, damaged or newer backup is rejected, and the instance continues', async () => {
    const { workspace } = await serve(temporaryFolder());
    const client = await clientOf(workspace);
    const { startedAt } = await client.app.info();
    const [made, damaged, newer] = [
      await client.backups.create(),
      await client.backups.create(),
      await client.backups.create(),
    ];
    const file = (name: string) => join(workspace, 'backups', name);
    writeFileSync(file(damaged.name), readFileSync(file(damaged.name)).fill(0x55, 4_096, 65_536));
    const database = new Database(file(newer.name));
    database.pragma('journal_mode = DELETE');
    database.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    database.close();
    for (const call of [client.backups.contents, client.backups.restore]) {
      await expect(call({ name: '../workspace.db' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(made.name),
      });
      await expect(call({ name: damaged.name })).rejects.toMatchObject({
        code: 'WORKSPACE_DAMAGED',
        message: expect.stringMatching(/^The backup ".*" cannot be read: .* Choose another one, such as /),
      });
      await expect(call({ name: newer.name })).rejects.toMatchObject({
        code: 'WORKSPACE_NEWER',
        message: expect.stringContaining('Update Tagwright, or choose another backup.'),
      });
    }
    expect((await client.app.info()).startedAt).toBe(startedAt);
    // Of two concurrent restores, one is done.
    const both = await Promise.allSettled([
      client.backups.restore({ name: made.name }),
      client.backups.restore({ name: made.name }),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'CONFLICT' } });
    expect((await reopened(workspace, startedAt)).restored).toMatchObject({ backup: made.name, problem: null });
  });

  test('a failure after work has ended leaves the workspace unchanged, and is shown', async () => {
    const { workspace, port } = await serve(temporaryFolder());
    const client = await clientOf(workspace);
    await setTarget(client, 111);
    const { name } = await client.backups.create();
    await setTarget(client, 222);
    const { startedAt } = await client.app.info();

    // A program that reads the file, whose WAL must not be deleted.
    const reader = new Database(join(workspace, 'workspace.db'), { readonly: true });
    reader.exec('BEGIN; SELECT count(*) FROM tags');
    await client.backups.restore({ name });
    const first = await reopened(workspace, startedAt);
    expect(first.restored).toEqual({
      backup: name,
      kept: null,
      problem: expect.stringContaining('Another program reads'),
    });
    expect(await target(await clientOf(workspace))).toBe(222);
    reader.close();

    // A backup of an older schema that looks intact, but cannot be migrated.
    const old = 'workspace-20250101T000000000Z-manual.db';
    const database = new Database(join(workspace, 'backups', old));
    database.pragma('application_id = 0x54616757');
    database.exec(
      MIGRATIONS.slice(0, 1)
        .map(({ sql }) => sql)
        .join('\n'),
    );
    database.pragma('foreign_keys = OFF');
    database.exec(`INSERT INTO storage_values VALUES (77, '', '', '1', '')`);
    database.pragma('user_version = 1');
    database.close();
    const again = await clientOf(workspace);
    const backups = (await again.backups.list()).map((backup) => backup.name);
    await again.backups.restore({ name: old });
    const second = await reopened(workspace, first.startedAt);
    expect(second.restored).toEqual({
      backup: old,
      kept: null,
      problem: expect.stringContaining('could not be updated to schema'),
    });
    expect(second.eventsApi).toBe(`http://127.0.0.1:${port}`);
    const after = await clientOf(workspace);
    expect(await target(after)).toBe(222);
    const left = (await after.backups.list()).map((backup) => backup.name);
    expect(left.filter((each) => !each.includes('-schema-'))).toEqual(backups);
    expect(existsSync(join(workspace, 'workspace.db.restored'))).toBe(false);
  });
});
