import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConformanceReport } from '#domain/event/conformance';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct, LAUNCHER, ROOT } from '../../support/product/product.ts';
import { IS_LONG } from '../../support/run/scale.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** A consumer with a name that would be dangerous on a page, which acknowledges duplicates again. */
const CAREFUL = `
const { TAGWRIGHT_EVENTS_URL: url, TAGWRIGHT_EVENTS_API_KEY: key } = process.env;
const headers = { 'X-API-Key': key, 'User-Agent': 'erp<script>&/1.0', 'Content-Type': 'application/json' };
console.log('consuming');
for (;;) {
  const list = await fetch(url + '/api/events', { headers }).then((response) => response.json());
  for (const { AggregationEventId: id } of list) {
    await fetch(url + '/api/events/' + id, { method: 'PUT', headers, body: '{"Active":false}' });
  }
  await new Promise((resolve) => setTimeout(resolve, 600));
}
`;

function program(text: string): { folder: string; command: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'consumer.mjs'), text);
  return { folder, command: `"${process.execPath}" "${join(folder, 'consumer.mjs')}"` };
}

test('consumers check starts a program and reports it as text, JUnit and a page', async () => {
  const { folder, command } = program(CAREFUL);
  const [junit, page] = [join(folder, 'check.xml'), join(folder, 'check.html')];
  const files = ['--junit', junit, '--page', page];
  const only = ['--only', 'duplicates,list,reset', '--seconds', '10'];
  const ended = await commandLine(['consumers', 'check', '--run', command, ...only, ...files]);
  expect(ended.code).toBe(1);
  expect(ended.out).toMatch(/^erp<script>&\/1\.0 \(127\.0\.0\.1\): failed\n/);
  expect(ended.out).toMatch(/\n {2}list +A plain list +passed +100 of 100 events, 1\d\d requests, 0 faults/);
  expect(ended.out).toMatch(/\n {2}duplicates +.* FAILED .*\n +twice: Acknowledged again without need: \d+ events: /);
  expect(ended.out).toMatch(
    /\n1 passed, 1 failed, 1 not met; 200 test events in \d+ s: 0 lost, \d+ acknowledged twice, no/,
  );
  expect(ended.err).toMatch(
    /^The events API for this check: http:\/\/127\.0\.0\.1:\d+ \(API key [\w-]{24}\)\nconsuming\n/,
  );
  expect(ended.err).toContain('2/3 duplicates: FAILED (twice)\n');

  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('<testsuites tests="3" failures="1" errors="0" skipped="1">');
  expect(xml).toContain('type="twice"');
  expect(xml).toContain('<skipped message="It did not continue an event stream."/>');
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<h1>erp&lt;script&gt;&amp;/1.0 (127.0.0.1): failed</h1>');
  expect(html).not.toMatch(/<script|https?:\/\//);
  expect(html.match(/<tr id="/g)).toHaveLength(3);
});

test('consumers check exits with 0 for a program that passes, with JSON on stdout', async () => {
  const { command } = program(CAREFUL);
  const ended = await commandLine([
    'consumers',
    'check',
    '--run',
    command,
    '--only',
    'list',
    '--rule-id',
    '7',
    '--json',
  ]);
  const report: ConformanceReport = JSON.parse(ended.out);
  expect(report).toMatchObject({ format: 1, state: 'passed', events: 100, lost: 0, twice: 0, hammered: 0 });
  expect(ended.code).toBe(0);
});

test('the example program for Node passes', async () => {
  const file = join(ROOT, 'resources/examples/poll-events.mjs');
  const command = `"${process.execPath}" "${file}" --every 600`;
  const only = IS_LONG ? [] : ['--only', '429,duplicates'];
  const ended = await commandLine(['consumers', 'check', '--run', command, ...only, '--json']);
  const { situations }: ConformanceReport = JSON.parse(ended.out);
  expect(situations.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(ended.code).toBe(0);
});

test('consumers check reports a program that ends', async () => {
  const { command } = program('process.exit(3);');
  const ended = await commandLine(['consumers', 'check', '--run', command, '--json']);
  const { situations }: ConformanceReport = JSON.parse(ended.out);
  expect(situations[0]).toMatchObject({
    state: 'failed',
    findings: [{ kind: 'absent', message: 'The program ended with exit code 3 before the run was over.' }],
  });
  expect(situations[19]).toMatchObject({ state: 'skipped' });
  expect(ended.code).toBe(1);
});

test.each([
  [['--only', 'list,nonsense'], '--only has "nonsense"'],
  [['--client', ''], '--client is the name of a consumer'],
  [['--run', ' '], '--run is a command line'],
  [['--seconds', '0'], '--seconds must be a whole number from 1 to 600'],
  [['--seed', '-1'], '--seed must be a whole number from 0'],
  [['--port', '70000'], '--port must be a whole number from 0 to 65,535'],
  [['--page', '/nowhere/at/all/check.html'], 'there is no folder'],
])('consumers check %j is rejected', async (args, message) => {
  const ended = await commandLine(['consumers', 'check', ...args]);
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
});

test('Ctrl+C cancels consumers check, ends the program and reports the rest', async () => {
  await builtProduct();
  // It reports its own process, and ignores the request to end.
  const { folder, command } = program(`
    import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => undefined);
    writeFileSync(process.argv[2], String(process.pid));
    ${CAREFUL}`);
  const pidFile = join(folder, 'pid');
  const args = [
    LAUNCHER,
    'consumers',
    'check',
    '--run',
    `${command} "${pidFile}"`,
    '--page',
    join(folder, 'check.html'),
  ];
  const environment = { ...process.env, TAGWRIGHT_NO_BUILD: '1' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text));
  const ended = once(child, 'close');
  await expect.poll(() => printed.err).toContain('1/20 list: passed');
  child.kill('SIGINT');
  const [code] = await ended;
  expect(printed.err).toContain('Cancelling the check…');
  expect(printed.out).toMatch(/: cancelled after \d+ of 20 situations\n/);
  expect(printed.out).toMatch(/\n {2}outage +Outage of 3 seconds +not run\n/);
  expect(code).toBe(1);
  expect(existsSync(join(folder, 'check.html'))).toBe(true);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
