import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { localTimeText } from '#domain/text/local-time';
import { createLog } from '../../../src-main/platform/log.ts';
import { maskDetails, maskText } from '../../../src-main/platform/mask-secrets.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

/** The local time of the machine at a UTC time such as 10:15. */
const at = (minute: number) => localTimeText(Date.parse(`2026-08-01T10:${minute}:00.000Z`));

function record(options: Parameters<typeof createLog>[0] = {}) {
  const lines: string[] = [];
  return { lines, log: createLog({ clock: new FakeClock(), write: (line) => lines.push(line), ...options }) };
}

test('an entry is one line with time, level, message and details', () => {
  const { lines, log } = record();
  log.debug('omitted');
  log.info('started', { pid: 7 });
  log.warn('two\nlines\r\n and \u2028 more');
  expect(lines).toEqual([`${at(15)} info  started {"pid":7}\n`, `${at(15)} warn  two lines  and   more\n`]);
});

test('an error is logged with its stack and causes, on one line', () => {
  const { lines, log } = record();
  log.error('failed', new Error('outer', { cause: new TypeError('inner') }), { where: 'tags.get' });
  log.error('threw', { hostile: true });
  log.error('no more than that');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(
    /^\S+ error failed \{"where":"tags.get","thrown":"Error: outer\\n    at .*caused by TypeError: inner/,
  );
  expect(lines[1]).toContain('{ hostile: true }');
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});

test('identical entries are written once per minute, with their count', () => {
  const clock = new FakeClock();
  const { lines, log } = record({ clock });
  for (let times = 0; times < 5; times += 1) log.warn('the disk is full', { rule: 1 });
  log.warn('the disk is full', { rule: 2 });
  expect(lines).toHaveLength(2);
  clock.advance(60_000);
  log.warn('the disk is full', { rule: 1 });
  log.warn('the disk is full', { rule: 2 });
  expect(lines.slice(2)).toEqual([
    `${at(16)} warn  the disk is full {"rule":1} (4 more since the last entry)\n`,
    `${at(16)} warn  the disk is full {"rule":2}\n`,
  ]);
});

test('only digests of long entries are remembered', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const { lines, log } = record();
  const bytes = 1_000_000;
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100; n += 1) log.warn(`${n} ${'x'.repeat(bytes)}`);
  log.warn(`7 ${'x'.repeat(bytes)}`);
  expect(lines).toHaveLength(100);
  lines.length = 0;
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * bytes);
});

test('the level applies to stderr; the file has all but debug entries', () => {
  const file = join(temporaryFolder(), 'logs', 'tagwright.log');
  const { lines, log } = record({ level: 'error', file });
  log.debug('a');
  log.info('b');
  log.error('c');
  expect(lines).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toMatch(/^\S+ info {2}b\n\S+ error c\n$/);
});

test('the file and the previous one stay limited', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tagwright.log');
  const { log } = record({ file });
  for (let count = 0; count < 300; count += 1) log.info(`${count} ${'x'.repeat(20_000)}`);
  expect(readdirSync(folder).toSorted()).toEqual(['tagwright.log', 'tagwright.log.1']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000_000);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)).toContain(' 299 ');
});

test('a file that cannot be written does not affect the logged work', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  const { lines, log } = record({ file: join(folder, 'file', 'tagwright.log') });
  log.info('goes on');
  expect(lines).toHaveLength(1);
});

test.each([
  ['Authorization: Bearer abc.def-1', 'Authorization: Bearer ***'],
  ['basic QWxhZGRpbjpvcGVu', 'basic ***'],
  ['GET /x?access_token=abc&b=1', 'GET /x?access_token=***&b=1'],
  ['{"client_secret":"s3cr3t","a":1}', '{"client_secret":"***","a":1}'],
  ['http://user:pass@host/path', 'http://***@host/path'],
  ['X-API-Key: 123', 'X-API-Key: ***'],
  ['tag Line.Tank.Level is Good', 'tag Line.Tank.Level is Good'],
])('secrets in text are masked: %s', (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

test.each(['x', 'a-', 'token', 'a://', 'x:', 'Bearer '])('a long run of "%s" is masked quickly', async (part) => {
  const text = part.repeat(500_000 / part.length);
  expect(await cpuMsOf(() => maskText(text))).toBeLessThan(2_000);
});

test('members with names of secrets are masked completely, at any depth', () => {
  expect(
    maskDetails({ token: { a: 1 }, list: [{ apiKey: 'k', path: 'a.b.c' }], Cookie: 'c', n: null, password: 5 }),
  ).toEqual({ token: '***', list: [{ apiKey: '***', path: 'a.b.c' }], Cookie: '***', n: null, password: '***' });
});

test('as JSON, an entry is one object per line with event and fields, masked', () => {
  const clock = new FakeClock();
  const { lines, log } = record({ clock, format: 'json' });
  log.info('The backup is made.\u2028', { event: 'backup.made', file: 'a.db', bytes: 7 });
  log.warn('sent token=abc', { password: 'x' });
  log.error('failed', new Error('broken'));
  log.error('', undefined, { long: 'x'.repeat(40_000) });
  const entries = lines.map((line) => JSON.parse(line));
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1 && line.length < 17_000)).toBe(true);
  expect(entries[0]).toEqual({
    time: at(15),
    level: 'info',
    event: 'backup.made',
    message: 'The backup is made.\u2028',
    fields: { file: 'a.db', bytes: 7 },
  });
  expect(entries[1]).toMatchObject({ event: 'note', message: 'sent token=***', fields: { password: '***' } });
  expect(entries[2]).toMatchObject({ event: 'fault', fields: { thrown: expect.stringContaining('Error: broken') } });
  expect(entries[3].fields.cut).toMatch(/^\{"long":"xxx/);
});

test('the format can be changed, and repeated entries are counted in both', () => {
  const clock = new FakeClock();
  const { lines, log } = record({ clock });
  log.warn('full', { event: 'storage.failing' });
  log.warn('full', { event: 'storage.failing' });
  log.useFormat('json');
  clock.advance(60_000);
  log.warn('full', { event: 'storage.failing' });
  expect(lines[0]).toBe(`${at(15)} warn  [storage.failing] full\n`);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ event: 'storage.failing', repeated: 1 });
});
