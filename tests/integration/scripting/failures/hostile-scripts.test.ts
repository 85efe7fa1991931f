import { describe, expect, test } from 'vitest';
import type { Capsule } from '#domain/run/capsule';
import { maskArguments } from '../../../../src-main/outbound/recorded-call.ts';
import { replayCapsule, type ReplayParts } from '../../../../src-main/scripting/capsules/replay-capsule.ts';
import { withReplayHosts } from '../../../../src-main/scripting/capsules/replay-hosts.ts';
import { capsuleOfCell, tryFailures } from '../../../../src-main/scripting/failures/failure-matrix.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';
import { capsuleOf, getOf, reportOf, setOf, value } from '../../../unit/scripting/capsules/capsule-of.ts';

const [READ, WRITTEN] = ['A.B.C', 'D.E.F'];
const GET = `TagValueManager.Get(['${READ}']).Value[0]`;
const HOSTS = {
  hosts: { hostFile: TEST_SCRIPT_HOST, nodeBinary: process.execPath },
  maskArguments,
  version: '0.1.0',
  rules: () => ({ jitless: false, requireOsSandbox: false }),
};

/** A run that read one tag, and wrote another. */
function capsuleWithBody(body: string): Capsule {
  const calls = [
    { ...getOf(value(READ, 1)), call: 1 },
    { ...setOf(WRITTEN, 1), call: 2 },
  ];
  const capsule = capsuleOf(calls, {
    report: reportOf({ result: 1 }),
    script: { name: null, version: null, body: body.split('\n') },
  });
  return { ...capsule, limits: { ...capsule.limits, scriptMs: 400 } };
}

const withHosts = <T>(capsule: Capsule, use: (parts: ReplayParts) => Promise<T>): Promise<T> =>
  withReplayHosts(capsule, 1, HOSTS, use);

describe('a replay', () => {
  test.each<[string, string, string]>([
    ['reserves all memory', 'const all = []; for (;;) all.push(new ArrayBuffer(1e8));', 'memory'],
    ['creates promises endlessly', 'for (;;) Promise.resolve().then(() => 1);', 'timeout'],
    ['awaits endlessly', 'while (true) await null;', 'timeout'],
    ['awaits what nothing settles', 'await new Promise(() => {});', 'error'],
    ['never awaits what it starts', '(async () => { for (;;) await 0; })(); return 1;', 'timeout'],
    [
      'rejects promises that nothing handles',
      "for (let n = 0; n < 1e4; n += 1) Promise.reject(new Error('x')); return 1;",
      'ok',
    ],
    ['throws a proxy that never answers', "throw new Proxy(new Error('x'), { get() { for (;;); } });", 'timeout'],
    ['returns an object that never ends', 'return { get member() { for (;;); } };', 'timeout'],
    ['returns a member __proto__', `return JSON.parse('{"__proto__": {"polluted": 1}}');`, 'error'],
    ['passes a proxy that never answers', 'TagValueManager.Get(new Proxy([], { get() { for (;;); } }));', 'timeout'],
    ['catches that a call has no answer', "for (;;) try { TagValueManager.Get(['No.Such.Tag']); } catch {}", 'error'],
  ])('of a script that %s ends, and the next one is not affected', async (_, body, status) => {
    const capsule = capsuleWithBody(body);
    await withHosts(capsule, async (parts) => {
      const { report } = await replayCapsule({ capsule, intact: true }, null, parts);
      expect(report).toMatchObject({ status, writes: [] });
      const next = await replayCapsule({ capsule, intact: true }, `return [${GET}.Value, ({}).polluted]`, parts);
      expect(next.report.result).toEqual([1, null]);
    });
  });
});

describe('a failure matrix', () => {
  test.each<[string, string, string]>([
    ['reads endlessly, whatever happens', `for (;;) try { ${GET}; } catch {}`, 'hangs'],
    ['awaits what nothing settles', 'await new Promise(() => {});', 'throws'],
    ['never awaits what it starts', '(async () => { for (;;) await 0; })(); return 1;', 'hangs'],
    ['replaces built-in objects', 'Array.prototype.push = Object.defineProperty = null; return 2;', 'returns'],
    ['makes calls that the run did not make', "TagValueManager.Get(['No.Such.Tag']);", 'unknown'],
    [
      'writes in what it does not await',
      `(async () => { await 0; TagValueManager.Set([{ tag: '${WRITTEN}', value: 2 }]); })(); return 1;`,
      'writes',
    ],
  ])('over a script that then %s has this outcome, and its capsule, too', async (_, body, outcome) => {
    const text = `if (${GET}.Quality !== 'Good') {\n${body}\n}\nTagValueManager.Set([{ tag: '${WRITTEN}', value: 1 }]);\nreturn 1;`;
    const capsule = capsuleWithBody(text);
    await withHosts(capsule, async (parts) => {
      const { cells, sites } = await tryFailures(capsule, { ...parts, parallel: 1 });
      const cell = cells.find(({ site, failure }) => sites[site]?.name === READ && failure === 'bad-quality');
      expect(cell?.outcome).toBe(outcome);
      const content = await capsuleOfCell(capsule, { call: 1, name: READ }, 'bad-quality', parts);
      if (!content) throw new Error('there is no such outcome');
      const { comparison } = await replayCapsule({ capsule: { ...content, hash: '' }, intact: true }, null, parts);
      expect(comparison).toMatchObject({ equal: true });
    });
  });

  test('over a run that never ended does not replay it', async () => {
    const capsule = { ...capsuleWithBody('for (;;);'), report: reportOf({ status: 'timeout' }) };
    let runs = 0;
    await withHosts(capsule, async ({ runner, ...parts }) => {
      const counted = {
        status: () => runner.status(),
        onStatus: runner.onStatus.bind(runner),
        close: () => runner.close(),
        run: (run: Parameters<typeof runner.run>[0]) => {
          runs += 1;
          return runner.run(run);
        },
      };
      const trying = tryFailures(capsule, { ...parts, runner: counted, parallel: 1 });
      await expect(trying).rejects.toMatchObject({ code: 'CONFLICT' });
    });
    expect(runs).toBe(0);
  });
});
