import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, onTestFinished } from 'vitest';
import { PlantDatabase } from '../../../src-main/storage/plant/plant-database.ts';
import { FROM_PLANT_HOST } from '../../../src-main/storage/plant/protocol.ts';
import { HOST_PROGRAM } from '../../support/scripting/hostile-host.ts';
import { sharedFolder, temporaryFolder } from '../../support/temp-folder.ts';

/** Programs that replace a plant host, as a compromised one might behave: real processes on real pipes. */
const folder = sharedFolder();
const MB = 1024 ** 2;
let programs = 0;

/**
 * A plant.db whose processes run the program after they have read a request.
 * @param statementMs how soon a silent host is ended; others get more: on a busy machine, 128 MB take 14 s
 */
function plantOf(program: string, log: string[], { first = 'read();', statementMs = 45_000 } = {}): PlantDatabase {
  programs += 1;
  const hostFile = join(folder, `program-${programs}.cjs`);
  const { rows, results, done } = FROM_PLANT_HOST;
  writeFileSync(
    hostFile,
    `${HOST_PROGRAM}
    const { rows, results, done } = ${JSON.stringify({ rows, results, done })};
    const result = JSON.stringify([{ columns: ['v'], rows: [[1]], changes: 0, ms: 0.1 }]);
    ${first}
    ${program}`,
  );
  const plant = new PlantDatabase({
    directory: temporaryFolder(),
    nodeBinary: process.execPath,
    hostFile,
    settings: { get: () => ({ 'db.statementMs': statementMs, 'db.maxRows': 10_000 }) },
    patienceMs: 500,
    log: (message, fields) => log.push(`${JSON.stringify(fields)} ${message}`),
  });
  onTestFinished(() => plant.close());
  return plant;
}

const SELECT = { sql: 'SELECT 1 AS v' };

describe('a compromised plant host', () => {
  test.each([
    [
      'floods main with rows',
      `const flood = Buffer.concat(Array(2_000).fill(frame(rows, '[[1],[2]]'))); for (;;) send(flood);`,
    ],
    [
      'floods main with results',
      `const flood = Buffer.concat(Array(2_000).fill(frame(results, result))); for (;;) send(flood);`,
    ],
    [
      'announces a frame of 4 GB',
      `const huge = Buffer.alloc(5); huge.writeUInt32LE(0xffffffff); huge[4] = rows; send(huge); for (;;) send(Buffer.alloc(65_536));`,
    ],
    ['sends 12,000,000 objects', `say(rows, '[[' + '{},'.repeat(12e6) + '1]]'); for (;;) read();`],
    ['nests a value 1,000,000 deep', `say(rows, '['.repeat(1e6) + ']'.repeat(1e6)); for (;;) read();`],
    ['nests a value 10,000 deep', `say(rows, '['.repeat(1e4) + ']'.repeat(1e4)); for (;;) read();`],
    ['sends texts endlessly', `for (;;) say(rows, '[["' + 'x'.repeat(1e6) + '"]]');`],
    [
      'sends objects as values',
      `say(results, '[{"columns":["v"],"rows":[[{}]],"changes":0,"ms":1}]'); for (;;) read();`,
    ],
    ['sends rows without values', `say(rows, '[' + '[],'.repeat(9_000) + '[]]'); for (;;) read();`],
    [
      'sends a row with other columns',
      `say(results, '[{"columns":["v"],"rows":[[1,2]],"changes":0,"ms":1}]'); for (;;) read();`,
    ],
    [
      'sends additional members',
      `say(results, '[{"columns":["v"],"rows":[[1]],"changes":0,"ms":1,"__proto__":{}}]'); for (;;) read();`,
    ],
    ['sends 128 MB of white space', `say(rows, '[[1]' + ' '.repeat(127e6) + ']'); for (;;) read();`],
    ['sends frames without rows', `say(rows, '[]'); for (;;) read();`],
    ['ends before its results', `say(done, 'null'); for (;;) read();`],
    ['sends invalid JSON', `say(results, '[{'); for (;;) read();`],
    ['sends a frame of a script host', `say(17, ''); for (;;) read();`],
    [
      'responds twice',
      `send(Buffer.concat([frame(results, result), frame(done, 'null'), frame(results, result), frame(done, 'null')])); for (;;) read();`,
    ],
  ])('that %s is ended, logged and counted, and main keeps little of its data', async (_, program) => {
    const log: string[] = [];
    const plant = plantOf(program, log);
    const counts: number[] = [];
    plant.onViolation((count) => counts.push(count));
    const before = process.memoryUsage();
    const [result] = await plant.read([SELECT]);
    const { external, heapUsed } = process.memoryUsage();
    // A host that responds and then continues has responded.
    if (!program.startsWith('send(Buffer.concat([frame(results')) {
      expect(result).toMatchObject({
        error: {
          fault: 'lost',
          message: expect.stringMatching(/^the process that runs the SQL sent .* and was ended/),
        },
      });
    }
    expect(plant.violations).toBeGreaterThan(0);
    expect(counts.at(-1)).toBe(plant.violations);
    expect(log[0]).toMatch(/^\{"event":"host\.violated"\} plant host \d+ sent .* and was ended$/);
    expect(external + heapUsed - before.external - before.heapUsed).toBeLessThan(250 * MB);
  });

  test.each([
    ['says nothing', 'for (;;) read();'],
    [
      'sends its response byte by byte',
      `for (const byte of frame(results, result + ' '.repeat(1e6))) { send(Buffer.of(byte)); pause(5); }`,
    ],
    ['sends one row of many and stops', `say(rows, '[[1]]'); for (;;) pause(1_000);`],
  ])('that %s is ended after a while', async (_, program) => {
    const log: string[] = [];
    const plant = plantOf(program, log, { statementMs: 200 });
    const [result] = await plant.read([SELECT]);
    expect(result).toEqual({
      error: { fault: 'lost', message: 'the process that runs the SQL did not respond and was ended; try again' },
    });
    expect(log[0]).toMatch(/^\{"event":"host\.ended"\} plant host \d+ did not respond and was ended$/);
    expect(plant.violations).toBe(0);
  });

  test.each([
    [
      'takes memory instead of responding',
      'const kept = Buffer.alloc(1_200e6, 1); for (;;) pause(kept.length);',
      /held \d{4,} MB and was ended$/,
    ],
    [
      'takes memory after its response',
      // Most of it before, and the rest slowly: filling memory takes the processor time that an idle host may not use.
      `const kept = [Buffer.alloc(900e6, 1)]; say(results, result); say(done, 'null');
       for (;;) { if (kept.length < 60) kept.push(Buffer.alloc(8e6, 1)); pause(200); }`,
      /held \d{4,} MB while it was idle and was ended$/,
    ],
  ])('that %s is ended', async (_, program, message) => {
    const log: string[] = [];
    // Filling so much memory takes seconds on a busy machine: silence must not end the host before.
    const plant = plantOf(program, log, { statementMs: 45_000 });
    void plant.read([SELECT]);
    await expect.poll(() => log[0]).toMatch(message);
    expect(log[0]).toMatch(/^\{"event":"host\.ended"\} plant host \d+ /);
  });

  test('that sends 60,000 long errors is ended, and main keeps little of its data', async () => {
    const log: string[] = [];
    const plant = plantOf(
      `const error = JSON.stringify({ error: { fault: 'sql', message: 'x'.repeat(10_000) } });
      for (let sent = 0; sent < 60_000; sent += 100) say(results, '[' + Array(100).fill(error) + ']');
      say(done, 'null'); for (;;) read();`,
      log,
    );
    const before = process.memoryUsage();
    const read = await plant.read(Array.from({ length: 60_000 }, () => SELECT));
    const { external, heapUsed } = process.memoryUsage();
    expect(read[0]).toMatchObject({ error: { fault: 'lost' } });
    expect(log[0]).toContain('more text of errors than one response may contain');
    expect(external + heapUsed - before.external - before.heapUsed).toBeLessThan(250 * MB);
  });

  test('that responds before it has read its request is ended', async () => {
    const log: string[] = [];
    const plant = plantOf(`say(results, result); for (;;) pause(1_000);`, log, {
      first: 'exactly(5);',
      statementMs: 200,
    });
    const large = { sql: 'SELECT :value AS v', bind: { value: 'x'.repeat(4 * MB) } };
    expect(await plant.read([large])).toMatchObject([{ error: { fault: 'lost' } }]);
    expect(log[0]).toContain('sent a frame before it had read its input and was ended');
  });
});
