import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from '#domain/run';
import type { Connection } from '../../../src-main/headless/instance-client.ts';
import { connectInstance } from '../../../src-main/headless/instance-client.ts';
import type { Started } from '../../support/product.ts';
import { builtProduct, startTagwright } from '../../support/product.ts';
import type { Attack } from './corpus/attack.ts';
import { CORPUS } from './corpus/index.ts';

const TAG = 'Bottling.Settings.Display.Title.Value';
/** What a run after an attack finds. */
const PROBE = `const [title] = TagValueManager.Get(['${TAG}']).Value;
console.log([1, 2, 3].map(String).join(), JSON.stringify({ a: 1 }), new Map([[1, 2]]).get(1), [...'ab'].length);
return [title.Quality, typeof evil, typeof left, Object.keys({}).length, ({}).evil === undefined, tagName, await Promise.resolve(7)];`;
const WELL = [expect.stringMatching(/^Good|^Uncertain/), 'undefined', 'undefined', 0, true, 'A.B.C', 7];
const SAID = '1,2,3 {"a":1} 2 2';

/** Asks the events API again and again, as an external tool does. */
class Poller {
  answered = 0;
  slowestMs = 0;
  readonly problems: string[] = [];
  readonly #end = new AbortController();
  readonly #polling: Promise<void>;

  constructor(url: string) {
    this.#polling = this.#poll(url);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#polling;
  }

  async #poll(url: string): Promise<void> {
    while (!this.#end.signal.aborted) {
      const asked = performance.now();
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) });
        const list: unknown = await answer.json();
        if (answer.status !== 200 || !Array.isArray(list)) this.problems.push(`status ${answer.status}`);
        this.answered += 1;
        this.slowestMs = Math.max(this.slowestMs, performance.now() - asked);
      } catch (thrown) {
        this.problems.push(String(thrown));
      }
      await wait(25);
    }
  }
}

describe('a live instance under attack', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'tagwright-attack-'));
  let instance: Started;
  let connection: Connection;
  let poller: Poller;
  let memoryBefore = 0;

  beforeAll(async () => {
    await builtProduct();
    instance = startTagwright(['serve', '--workspace', workspace, '--port', '0', '--ui-port', '0', '--json']);
    const { eventsApi }: { eventsApi: string } = JSON.parse(await instance.firstLine());
    const address: { url: string; token: string } = JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8'));
    connection = await connectInstance(address);
    await connection.client.settings.update({
      'limits.scriptMs': 300,
      'limits.totalMs': 20_000,
      'limits.memoryMb': 64,
      'limits.resultMb': 1,
      'api.mode': 'offline',
    });
    await connection.client.events.createTest({ count: 3, ruleId: (await connection.client.rules.list())[0]?.id ?? 0 });
    poller = new Poller(`${eventsApi}/api/events`);
    await run(PROBE);
    memoryBefore = memoryMb();
  }, 180_000);
  afterAll(async () => {
    connection.close();
    instance.kill('SIGTERM');
    await instance.ended;
    rmSync(workspace, { recursive: true, force: true });
  });

  const run = (body: string): Promise<RunReport> =>
    connection.client.runs.execute({
      body,
      context: { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: false,
    });
  /** Resident memory of main, MB. */
  const memoryMb = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${mainPid()}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  const mainPid = (): number => JSON.parse(instance.out.split('\n')[0] ?? '').pid;

  async function attack({ body, ends, says, gives, scriptMs }: Attack): Promise<void> {
    if (scriptMs !== undefined) await connection.client.settings.update({ 'limits.scriptMs': scriptMs });
    const { status, error, result } = await run(body);
    if (scriptMs !== undefined) await connection.client.settings.update({ 'limits.scriptMs': 300 });
    const message = error?.message ?? '';
    expect({ status, error, result: JSON.stringify(result).slice(0, 300) }).toSatisfy(
      () => ends.includes(status) && (status === 'ok') === (error === null) && (status === 'ok' || result === null),
      `to end with ${ends.join(' or ')}, and to say why`,
    );
    if (says && status !== 'ok') expect(message).toMatch(says);
    if (gives !== undefined && status === 'ok') expect(result).toEqual(gives);
    const next = await run(PROBE);
    expect(next).toMatchObject({ status: 'ok', result: WELL, console: [{ text: SAID }], error: null });
  }

  for (const [sort, attacks] of Object.entries(CORPUS)) {
    describe(`by scripts that are after ${sort}`, () => {
      test.each(attacks)('$name', attack);
    });
  }

  test('has answered external tools all the time, is the same process, and kept its memory', async () => {
    await poller.stop();
    expect(poller.problems).toEqual([]);
    expect(poller.answered).toBeGreaterThan(100);
    // A busy machine may hold a request up; a main that waits for a script would do so for as long as that takes.
    expect(poller.slowestMs).toBeLessThan(3_000);
    expect(process.kill(mainPid(), 0)).toBe(true);
    expect(memoryMb() - memoryBefore).toBeLessThan(400);
    const { events } = await connection.client.events.list({});
    expect(events.length).toBeGreaterThanOrEqual(3);
  });

  test('holds at least 150 attacks of each sort that was thought of', () => {
    const attacks = Object.values(CORPUS).flat();
    expect(attacks.length).toBeGreaterThanOrEqual(150);
    expect(Object.values(CORPUS).every((some) => some.length >= 20)).toBe(true);
  });
});
