import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FailureCell, type FailureMatrix, FAILURES } from '#domain/run/failures';
import type { ReplayReport } from '#domain/run/replay';
import { commandLine } from '../../support/product/command-line.ts';
import { capsules, essence, NUMBER, readCapsule, STATE } from './recorded-runs.ts';

const { folder, workspace, fileOf, record, replay: replayed } = capsules();

const LEVEL = 'Bottling.Line1.Filler.TankLevel.Value';
const PRODUCT = 'Bottling.Line1.Order.Product.Value';
const SET_POINT = 'Bottling.Line1.Filler.SpeedSetPoint.Value';

/** The outcomes of a body by the name and the failure of the call. */
async function tried(body: string, ...options: string[]) {
  const { out, err, code } = await commandLine(['failures', fileOf(body), '-w', workspace, '--json', ...options]);
  if (out === '') throw new Error(err);
  const matrix: FailureMatrix = JSON.parse(out);
  const cell = (name: string, failure: string): FailureCell | undefined =>
    matrix.cells.find((one) => one.failure === failure && matrix.sites[one.site]?.name === name);
  return { matrix, cell, code };
}

describe('the failure matrix of a script', () => {
  test('writes anyway: the line, the value, the one that it replaces, and the cause', async () => {
    const { matrix, cell, code } = await tried(`const level = TagValueManager.Get(['${LEVEL}']).Value[0];
const rounded = level.Quality === 'Good' ? 50 : Number(level.Value);
TagValueManager.Set([{ tag: '${NUMBER}', value: rounded | 0 }]);
return 1;`);
    expect(code).toBe(0);
    expect(matrix.sites).toMatchObject([
      { call: 1, line: 1, nth: 1, access: 'read', name: LEVEL, text: `Get "${LEVEL}"` },
      { call: 2, line: 3, nth: 1, access: 'write', name: NUMBER },
    ]);
    expect(cell(LEVEL, 'bad-quality')).toMatchObject({
      outcome: 'writes',
      unchanged: false,
      problem: `Wrote 0 to ${NUMBER} instead of 50 (line 3) after a BadNotConnected read of ${LEVEL} (line 1)`,
    });
    expect(cell(LEVEL, 'missing-tag')?.outcome).toBe('writes');
    expect(cell(LEVEL, 'wrong-type')).toMatchObject({ outcome: 'writes', unchanged: true });
    expect(cell(NUMBER, 'set-rejected')?.problem).toMatch(
      /^Threw Error: Nothing was written: 1 of 1 item rejected: .*\(line 3\)$/,
    );
    const outcomes = matrix.cells.map(({ outcome, unchanged }) => `${outcome} ${unchanged}`);
    expect(outcomes.indexOf('writes true')).toBeGreaterThan(outcomes.lastIndexOf('writes false'));
    expect(outcomes.at(-1)).toBe('throws false');
  });

  test('throws, returns another result, hangs, and continues where nothing is known', async () => {
    const { cell } = await tried(`const [level, state] = TagValueManager.Get(['${LEVEL}', '${STATE}']).Value;
if (level.Quality.startsWith('Bad')) throw new RangeError('no level');
if (level.Quality === 'UncertainLastUsableValue') for (;;);
if (level.Type === 'String') return TagValueManager.Get(['${NUMBER}']).Value;
return [typeof state.Value, state.Quality];`);
    expect(cell(LEVEL, 'bad-quality')?.problem).toBe(
      `Threw RangeError: no level (line 2) after a BadNotConnected read of ${LEVEL} (line 1)`,
    );
    expect(cell(LEVEL, 'missing-tag')?.outcome).toBe('throws');
    expect(cell(LEVEL, 'stale-value')).toMatchObject({ outcome: 'hangs' });
    expect(cell(LEVEL, 'uncertain-quality')).toMatchObject({ outcome: 'returns', unchanged: true });
    expect(cell(LEVEL, 'wrong-type')).toMatchObject({ outcome: 'unknown' });
    expect(cell(LEVEL, 'wrong-type')?.problem).toContain(`Continued with Get "${NUMBER}" (line 4)`);
    expect(cell(STATE, 'bad-quality')).toMatchObject({ outcome: 'returns', unchanged: false });
    expect(cell(STATE, 'bad-quality')?.problem).toMatch(/^Returned \["object","BadNotConnected"\] instead of /);
  });

  test.each([
    ['without a wait', ''],
    ['with a wait', 'const until = Date.now() + 1_000; while (Date.now() < until);'],
  ])('a loop that reads a bad sensor until it is Good hangs, %s', async (_, wait) => {
    const { cell } = await tried(`let level;
for (;;) {
  [level] = TagValueManager.Get(['${LEVEL}', '${STATE}']).Value;
  TagValueManager.Get(['${NUMBER}']);
  if (level.Quality === 'Good') break;
  ${wait}
}
return 1;`);
    expect(cell(LEVEL, 'bad-quality')).toMatchObject({
      outcome: 'hangs',
      problem: `Did not end in time after a BadNotConnected read of ${LEVEL} (line 3)`,
    });
    expect(cell(LEVEL, 'stale-value')?.outcome).toBe('hangs');
    expect(cell(STATE, 'bad-quality')).toMatchObject({ outcome: 'returns', unchanged: true });
  });

  test('a script that retries a failed call some times does what it does then', async () => {
    const { cell } = await tried(`for (let retry = 0; retry < 3; retry += 1)
  if (TagValueManager.Get(['${LEVEL}']).Value[0].Quality === 'Good') break;
  else if (retry === 2) throw new Error('no level');
for (;;) {
  try { TagValueManager.Set([{ tag: '${NUMBER}', value: 7 }]); break; } catch { }
}
for (let retry = 0; retry < 5; retry += 1)
  if (ApiValueManager.Fetch('https://nowhere.test/x', 'get').StatusCode === '500') console.log(retry);
return 1;`);
    expect(cell(LEVEL, 'bad-quality')?.problem).toBe(
      `Threw Error: no level (line 3) after a BadNotConnected read of ${LEVEL} (line 2)`,
    );
    expect(cell(NUMBER, 'set-rejected')?.outcome).toBe('hangs');
    expect(cell('Fetch', 'http-500')).toMatchObject({ outcome: 'returns', unchanged: true });
  });

  test('a loop that writes and does not end says both', async () => {
    const { cell } = await tried(`TagValueManager.Set([{ tag: '${NUMBER}', value: 7 }]);
const [level] = TagValueManager.Get(['${LEVEL}']).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: 8 }]);
while (level.Quality !== 'Good') if (level.Quality === 'BadNotConnected') TagValueManager.Set([{ tag: '${NUMBER}', value: 8 }]);
return 1;`);
    expect(cell(LEVEL, 'bad-quality')?.problem).toMatch(
      /^Wrote 8 to \S+ \(line 4\) and \d+ more, and did not end, after a BadNotConnected read/,
    );
    expect(cell(LEVEL, 'bad-quality')?.outcome).toBe('writes');
    // Its write is that of the run without a failure.
    expect(cell(LEVEL, 'stale-value')?.outcome).toBe('hangs');
  });

  test('a script that waits for a time after a failure does not hang', async () => {
    const { cell } = await tried(`const [level] = TagValueManager.Get(['${LEVEL}']).Value;
const until = Date.now() + 60_000;
if (level.Quality !== 'Good') while (Date.now() < until);
return 1;`);
    expect(cell(LEVEL, 'bad-quality')?.outcome).toBe('returns');
  });

  test('Sets with scripts of tags, also if the write script fails halfway', async () => {
    const current = `const [now] = TagValueManager.Get(['${SET_POINT}']).Value;\n`;
    const { cell } = await tried(`${current}try {
  TagValueManager.Set([{ tag: '${SET_POINT}', value: now.Value }]);
} catch (thrown) { TagValueManager.Set([{ tag: '${NUMBER}', value: 1 }]); }
return 1;`);
    expect(cell(SET_POINT, 'nested-set-failed')).toMatchObject({
      outcome: 'writes',
      problem: expect.stringContaining(
        `Tried Set "${NUMBER}" = 1 (line 4) after a Set that failed in the write script`,
      ),
    });
    const other = await tried(`${current}TagValueManager.Get(['${NUMBER}']);
try {
  TagValueManager.Set([{ tag: '${SET_POINT}', value: now.Value }]);
} catch (thrown) { TagValueManager.Set([{ tag: '${NUMBER}', value: 1 }]); }
return 1;`);
    expect(other.cell(SET_POINT, 'nested-set-failed')).toMatchObject({
      outcome: 'writes',
      problem: `Wrote 1 to ${NUMBER} (line 5) after a Set that failed in the write script of ${SET_POINT} (line 4)`,
    });
  });

  test('API calls fail with statuses, without a response, and with other bodies', async () => {
    const { cell } =
      await tried(`const { Success, StatusCode, ResponseObject, ErrorMessage } = ApiValueManager.Fetch('https://nowhere.test/x', 'get');
if (Success) JSON.parse(ResponseObject);
return StatusCode === '0' ? JSON.parse(ErrorMessage).error : StatusCode;`);
    const outcomes = FAILURES.map((failure) => cell('Fetch', failure)).flatMap((one) => one ?? []);
    expect(Object.fromEntries(outcomes.map(({ failure, outcome }) => [failure, outcome]))).toEqual({
      'http-401': 'returns',
      'http-403': 'returns',
      'http-404': 'returns',
      'http-429': 'returns',
      'http-500': 'returns',
      'connection-refused': 'returns',
      timeout: 'returns',
      'html-body': 'throws',
      'empty-body': 'throws',
    });
    expect(cell('Fetch', 'http-429')?.problem).toMatch(
      /^Returned "429" instead of "[A-Za-z]+" after status 429 from Fetch \(line 1\)$/,
    );
    expect(cell('Fetch', 'timeout')?.problem).toContain('Returned "Timeout"');
  });

  test('calls in a loop are call sites of their own', async () => {
    const { matrix } = await tried(`for (const path of ['${LEVEL}', '${STATE}', '${LEVEL}'])
  TagValueManager.Get([path]);`);
    expect(matrix.sites.map(({ line, nth, name }) => [line, nth, name])).toEqual([
      [2, 1, LEVEL],
      [2, 2, STATE],
      [2, 3, LEVEL],
    ]);
    const problems = matrix.cells.filter(({ failure }) => failure === 'bad-quality').map(({ problem }) => problem);
    expect(problems).toEqual([
      `Returned the same result after a BadNotConnected read of ${LEVEL} (line 2, call 1 of 3)`,
      `Returned the same result after a BadNotConnected read of ${STATE} (line 2, call 2 of 3)`,
      `Returned the same result after a BadNotConnected read of ${LEVEL} (line 2, call 3 of 3)`,
    ]);
  });

  test('long values that differ at their ends are different, and it shows where', async () => {
    const shown = `${'x'.repeat(18)}…${'x'.repeat(20)}`;
    const { cell } = await tried(`const [level] = TagValueManager.Get(['${LEVEL}']).Value;
const text = 'x'.repeat(1_000) + level.Quality;
TagValueManager.Set([{ tag: '${PRODUCT}', value: text }]);
return text;`);
    expect(cell(LEVEL, 'bad-quality')).toMatchObject({
      outcome: 'writes',
      unchanged: false,
      problem:
        `Wrote "${shown}BadNotConnected" to ${PRODUCT} instead of "${shown}Good" (line 3) ` +
        `after a BadNotConnected read of ${LEVEL} (line 1)`,
    });
    const { cell: other } = await tried(`return 'x'.repeat(99) + TagValueManager.Get(['${LEVEL}']).Value[0].Quality`);
    expect(other(LEVEL, 'bad-quality')?.problem).toMatch(
      /^Returned "x+…x+BadNotConnected" instead of "x+…x+Good" after/,
    );
  });

  test('a request without a body is sent anyway', async () => {
    const request = { method: 'DELETE', url: 'https://erp.test/orders/1' };
    const stdin = JSON.stringify({ name: 'Delete', request });
    await commandLine(['mocks', 'add', '-', '-w', workspace], { stdin });
    const { cell } = await tried(`const [level] = TagValueManager.Get(['${LEVEL}']).Value;
ApiValueManager.Fetch('${request.url}', 'delete');
return level.Quality;`);
    expect(cell(LEVEL, 'bad-quality')).toMatchObject({
      outcome: 'writes',
      unchanged: true,
      problem: `Still sent DELETE ${request.url} (line 2) after a BadNotConnected read of ${LEVEL} (line 1)`,
    });
  });

  test('a script that ends between two writes has made only some of them', async () => {
    const { cell } = await tried(`const [level] = TagValueManager.Get(['${LEVEL}']).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: 1 }]);
if (level.Quality !== 'Good') throw new Error('no level');
TagValueManager.Set([{ tag: '${PRODUCT}', value: 'x' }]);`);
    expect(cell(LEVEL, 'bad-quality')).toMatchObject({
      outcome: 'writes',
      unchanged: false,
      problem: `Made only 1 of 2 writes: wrote 1 to ${NUMBER} (line 2) after a BadNotConnected read of ${LEVEL} (line 1)`,
    });
  });

  test('a value that its tag would reject is not written', async () => {
    const { cell } = await tried(`const [order] = TagValueManager.Get(['${NUMBER}']).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: order.Value }]);
return 1;`);
    expect(cell(NUMBER, 'wrong-type')).toMatchObject({
      outcome: 'throws',
      problem: expect.stringContaining('the text "n/a" cannot be convert'),
    });
  });
});

const RISKY = `const [level] = TagValueManager.Get(['${LEVEL}']).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: level.Value === null ? 0 : 5 }]);
return level.Quality;`;

describe('tagwright failures', () => {
  test('saves nothing', async () => {
    const value = async () => (await commandLine(['tags', 'get', NUMBER, '--json', '-w', workspace])).out;
    const before = JSON.parse(await value())[0].value;
    await tried(RISKY);
    expect(JSON.parse(await value())[0].value).toBe(before);
  });

  test('text shows risky outcomes, and --all the others', async () => {
    const file = fileOf(RISKY);
    const { out } = await commandLine(['failures', file, '-w', workspace]);
    expect(out).toMatch(
      /: 6 failures of 2 calls tried\n {2}5 write anyway, 0 hang, 0 are unknown, 0 return, 1 throws\n/,
    );
    expect(out).toContain(`Wrote 0 to ${NUMBER} instead of 5`);
    expect(out).not.toContain('Threw');
    expect(out).toContain('1 more outcome without risk; --all lists them');
    expect((await commandLine(['failures', file, '-w', workspace, '--all'])).out).toContain('Threw Error');
  });

  test('--fail-on decides the exit code, and the failures of the JUnit report', async () => {
    const file = fileOf(RISKY);
    const junit = join(folder, 'failures.xml');
    const run = (...options: string[]) => commandLine(['failures', file, '-w', workspace, ...options]);
    expect((await run('--fail-on', 'hangs,unknown', '--junit', junit)).code).toBe(0);
    expect(readFileSync(junit, 'utf8')).toContain('tests="6" failures="0"');
    expect((await run('--fail-on', 'writes', '--junit', junit)).code).toBe(1);
    const report = readFileSync(junit, 'utf8');
    expect(report).toContain('tests="6" failures="5"');
    expect(report).toContain('type="writes"');
    expect(report).toContain(`line 1: Get &quot;${LEVEL}&quot;: Bad quality`);
    const wrong = await run('--fail-on', 'write');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('Use one or more of writes, hangs, unknown, returns, throws');
  });

  test('an outcome becomes a capsule, which replays the same and becomes a test', async () => {
    const { file } = await record(RISKY, '--dry-run');
    const failed = join(folder, 'failed.capsule.json');
    const list = await commandLine(['failures', '--capsule', file, '--json']);
    const matrix: FailureMatrix = JSON.parse(list.out);
    const number = matrix.cells.findIndex(({ failure }) => failure === 'bad-quality') + 1;
    const saved = await commandLine(['failures', '--capsule', file, '--cell', `${number}`, '--to', failed]);
    expect(saved.code).toBe(0);
    expect(readCapsule(failed).report).toMatchObject({ status: 'ok', result: 'BadNotConnected' });
    const replay: ReplayReport = JSON.parse((await commandLine(['replay', failed, '--json'])).out);
    expect(replay).toMatchObject({ intact: true, comparison: { equal: true }, report: { result: 'BadNotConnected' } });
    const options = ['--script', 'Line 1/Average fill volume', '--name', 'bad level', '-w', workspace, '--json'];
    const added = await commandLine(['tests', 'add', '--capsule', failed, ...options]);
    expect(JSON.parse(added.out).test).toMatchObject({
      name: 'bad level',
      tags: expect.arrayContaining([expect.objectContaining({ tag: LEVEL, quality: 'BadNotConnected' })]),
    });
    const none = await commandLine(['failures', '--capsule', file, '--cell', '99', '--to', failed]);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('There is no outcome 99: the list has 6 outcomes.');
  });

  test('the capsule of a retried call has all of its calls', async () => {
    const { file } = await record(
      `let last;
for (let retry = 0; retry < 3; retry += 1) {
  [last] = TagValueManager.Get(['${LEVEL}']).Value;
  if (last.Quality === 'Good') break;
}
return last.Quality;`,
      '--dry-run',
    );
    const failed = join(folder, 'retried.capsule.json');
    const matrix: FailureMatrix = JSON.parse((await commandLine(['failures', '--capsule', file, '--json'])).out);
    const number = matrix.cells.findIndex(({ failure }) => failure === 'bad-quality') + 1;
    await commandLine(['failures', '--capsule', file, '--cell', `${number}`, '--to', failed]);
    expect(readCapsule(failed).calls.map(({ call, line }) => [call, line])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    const replay: ReplayReport = JSON.parse((await commandLine(['replay', failed, '--json'])).out);
    expect(replay).toMatchObject({ comparison: { equal: true }, report: { result: 'BadNotConnected' } });
  });

  test.each([
    [
      'waits',
      `const [level] = TagValueManager.Get(['${LEVEL}']).Value;
const until = Date.now() + 6_000;
let looks = 0;
if (level.Quality !== 'Good') while (Date.now() < until) looks += 1;
console.log(looks, new Date().toISOString());
TagValueManager.Set([{ tag: '${NUMBER}', value: looks }]);
return [looks, Date.now() - until];`,
      'writes',
    ],
    ['retries', `while (TagValueManager.Get(['${LEVEL}']).Value[0].Quality !== 'Good') Date.now();`, 'hangs'],
    [
      'writes and never ends',
      `TagValueManager.Set([{ tag: '${NUMBER}', value: 8 }]);
while (TagValueManager.Get(['${LEVEL}']).Value[0].Quality !== 'Good') TagValueManager.Set([{ tag: '${NUMBER}', value: Date.now() % 7 }]);`,
      'writes',
    ],
    ['never ends', `if (TagValueManager.Get(['${LEVEL}']).Value[0].Quality !== 'Good') for (;;);`, 'hangs'],
    [
      'reads what it wrote in another scope',
      `const [level] = TagValueManager.Get(['${LEVEL}']).Value;
TagValueManager.Set([{ tag: '${NUMBER}', value: level.Quality === 'Good' ? 1 : 2 }]);
return TagValueManager.Get(['${NUMBER}'], level.Quality === 'Good' ? null : 'Line overview').Value;`,
      'writes',
    ],
  ])('the capsule of a script that %s replays as in the matrix', async (_, body, outcome) => {
    const { file } = await record(body, '--dry-run');
    const failed = join(folder, 'failed.capsule.json');
    const matrix: FailureMatrix = JSON.parse((await commandLine(['failures', '--capsule', file, '--json'])).out);
    const number =
      matrix.cells.findIndex(({ site, failure }) => matrix.sites[site]?.name === LEVEL && failure === 'bad-quality') +
      1;
    expect(matrix.cells[number - 1]?.outcome).toBe(outcome);
    await commandLine(['failures', '--capsule', file, '--cell', `${number}`, '--to', failed]);
    const { report: cell } = readCapsule(failed);
    const { report, comparison } = await replayed(failed);
    expect(comparison).toMatchObject({ equal: true });
    expect(essence(report)).toBe(essence(cell));
  });

  test.each([
    [['--cell', '1'], 'Use --cell and --to together.'],
    [['--capsule', 'x.json', '--script', 'A/B'], 'Use only one of a file, --script and --capsule.'],
    [['--capsule', 'no-such.json'], 'There is no file "no-such.json".'],
    [[], 'Use either a file (or -) or --script "Group/Name".'],
  ])('rejects %j', async (options, message) => {
    const { code, err } = await commandLine(['failures', ...options, '-w', workspace]);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test('of more than 1,000 calls, three of each line are tried, and the text says so', async () => {
    const body = `let sum = 0;
for (let n = 0; n < 1_100; n += 1) sum += Number(TagValueManager.Get(['${LEVEL}']).Value[0].Value);
TagValueManager.Set([{ tag: '${NUMBER}', value: 1 }]);
return sum;`;
    const { file } = await record(body, '--dry-run');
    const { out, code } = await commandLine(['failures', '--capsule', file]);
    expect(code).toBe(0);
    expect(out).toMatch(/: 16 failures of 4 calls tried\n {2}1,097 further calls not tried: of 2 groups of calls/);
    expect(out).toContain('--every-call tries the first 1,000 calls');
    const matrix: FailureMatrix = JSON.parse((await commandLine(['failures', '--capsule', file, '--json'])).out);
    expect(matrix).toMatchObject({ notTried: 1_097, groups: 2 });
    expect(matrix.sites.map(({ line, nth }) => [line, nth])).toEqual([
      [2, 1],
      [2, 551],
      [2, 1_100],
      [3, 1],
    ]);
    // The capsule of an outcome of a later call.
    const failed = join(folder, 'failed.capsule.json');
    const number = matrix.cells.findIndex(({ site, failure }) => site === 2 && failure === 'bad-quality') + 1;
    await commandLine(['failures', '--capsule', file, '--cell', `${number}`, '--to', failed]);
    expect(readCapsule(failed).calls[1_099]).toMatchObject({ values: [{ quality: 'BadNotConnected' }] });
  });

  test('a run that fails itself is not tried', async () => {
    const { code, err, out } = await commandLine(['failures', fileOf("throw new Error('no')"), '-w', workspace]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('The script fails without any failure of its calls (Error: no)');
  });

  test('a damaged capsule is named with its position', async () => {
    const file = join(folder, 'damaged.json');
    writeFileSync(file, '{"format": "tagwright-capsule", "version": 1');
    const { code, err } = await commandLine(['failures', '--capsule', file]);
    expect(code).toBe(2);
    expect(err).toContain('The capsule cannot be read');
  });
});
