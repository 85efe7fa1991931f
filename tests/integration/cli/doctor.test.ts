import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Diagnosis } from '#domain/workspace/diagnosis';
import { builtProduct, LAUNCHER, SYSTEM_NODE, tagwright } from '../../support/product/product.ts';
import { clientOf, serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { canMount, namespace } from '../storage/child.ts';

beforeAll(builtProduct, 180_000);

async function doctor(workspace: string, ...more: string[]) {
  const { code, out, err } = await tagwright(['doctor', '--json', '-w', workspace, ...more]);
  const diagnosis: Diagnosis = JSON.parse(out);
  const of = (id: string) => diagnosis.checks.find((check) => check.id === id);
  return { code, err, diagnosis, of, ownProblems: ownProblemsOf(diagnosis) };
}

/** The problems that do not depend on this machine, whose disk may be full, ports taken or clock wrong. */
const ownProblemsOf = ({ checks }: Diagnosis) =>
  checks.filter(({ id, state }) => state === 'problem' && !/^(?:disk|port|clock)\./.test(id)).map(({ id }) => id);

/** The exit code of the command. */
const codeOf = ({ state }: Diagnosis) => (state === 'problem' ? 1 : 0);

/** The content of the folder, byte for byte. */
const contentOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), 'base64')]);

describe('tagwright doctor', () => {
  test('asks the running instance, whose work continues', async () => {
    const workspace = join(temporaryFolder(), 'plant');
    const { pid, port } = await serve(workspace);
    const client = await clientOf(workspace);
    await client.settings.update({ 'limits.scriptMs': 60_000 });
    const loop = client.runs.execute({
      body: 'const end = Date.now() + 3000; while (Date.now() < end); return "went on"',
      context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: false,
    });
    const { code, err, diagnosis, of, ownProblems } = await doctor(workspace, '--full');
    expect({ code, err, ownProblems }).toEqual({ code: codeOf(diagnosis), err: '', ownProblems: [] });
    expect(of('leftovers.lock')?.detail).toMatch(`held by this instance, pid ${pid}, since `);
    expect(of('port.events')?.detail).toBe(`listens at http://127.0.0.1:${port}`);
    expect(of('database.workspace')).toMatchObject({ state: 'ok' });
    expect(of('database.plant')).toMatchObject({ state: 'ok' });
    expect(await loop).toMatchObject({ status: 'ok', result: 'went on' });
    expect((await client.app.info()).pid).toBe(pid);
  });

  test.skipIf(process.platform === 'win32')(
    'reports an instance that does not respond, and checks everything else itself',
    async () => {
      const workspace = join(temporaryFolder(), 'plant');
      const { pid } = await serve(workspace);
      process.kill(pid, 'SIGSTOP');
      onTestFinished(() => void process.kill(pid, 'SIGCONT'));
      const { code, of } = await doctor(workspace);
      process.kill(pid, 'SIGCONT');
      expect(code).toBe(1);
      expect(of('leftovers.lock')).toMatchObject({
        state: 'problem',
        detail: expect.stringMatching(new RegExp(`^pid ${pid} has held the workspace since .* and does not respond`)),
      });
      expect(of('database.workspace')).toMatchObject({ state: 'ok' });
    },
  );

  test('reports that an instance was killed, and recovers nothing', async () => {
    const workspace = join(temporaryFolder(), 'plant');
    const { pid, command } = await serve(workspace);
    process.kill(pid, 'SIGKILL');
    await command.ended;
    const before = contentOf(workspace);
    const { code, diagnosis, of, ownProblems } = await doctor(workspace);
    expect({ code, ownProblems }).toEqual({ code: codeOf(diagnosis), ownProblems: [] });
    expect(of('leftovers.lock')).toMatchObject({
      state: 'warning',
      detail: `instance.json names pid ${pid}, which has ended without closing the workspace (killed, crash or power failure)`,
    });
    expect(of('database.workspace')).toMatchObject({ state: 'ok' });
    expect(contentOf(workspace)).toEqual(before);
  });

  test.runIf(canMount())('works on a read-only file system', async () => {
    const workspace = join(temporaryFolder(), 'plant');
    expect((await tagwright(['scripts', 'list', '-w', workspace])).code).toBe(0);
    const shell = `mount --bind "${workspace}" "${workspace}"; mount -o remount,bind,ro "${workspace}"; exec "${SYSTEM_NODE}" "${LAUNCHER}" doctor --json -w "${workspace}"`;
    const [file = '', ...args] = namespace();
    const { status, stdout } = spawnSync(file, [...args, 'bash', '-c', shell], {
      encoding: 'utf8',
      env: { ...process.env, TAGWRIGHT_NO_BUILD: '1' },
    });
    const diagnosis: Diagnosis = JSON.parse(stdout);
    const of = (id: string) => diagnosis.checks.find((check) => check.id === id);
    expect(status).toBe(1);
    expect(of('files.access')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('mounted read-only'),
    });
    expect([of('database.workspace')?.state, of('database.plant')?.state]).toEqual(['ok', 'ok']);
  });

  test('has an exit code for invalid usage', async () => {
    const workspace = temporaryFolder();
    const { code, out, err } = await tagwright(['doctor', 'everything', '-w', workspace]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('too many arguments');
    expect(readdirSync(workspace)).toEqual([]);
  });
});
