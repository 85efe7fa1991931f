import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CapsuleComparison } from '#domain/run/replays/capsule-comparison';
import { commandLine } from '../../../support/product/command-line.ts';
import { capsules, NUMBER } from '../../cli/recorded-runs.ts';

const { workspace, fileOf, record } = capsules();

const BODY = `const [number] = TagValueManager.Get(['${NUMBER}']).Value;
let size = 'small';
if (tagValue > 10) {
  size = 'large';
}
TagValueManager.Set([{ tag: '${NUMBER}', value: tagValue }]);
return { size, was: number.Value };
`;

const comparison = ({ out }: { out: string }): CapsuleComparison => JSON.parse(out);

describe('tagwright compare', () => {
  test('prints where two runs part, with both sides, and exits with 1', async () => {
    const before = await record(BODY, '--dry-run', '--tag-value', '5');
    const after = await record(BODY, '--dry-run', '--tag-value', '50');
    const compared = await commandLine(['compare', before.file, after.file]);
    expect(compared.code).toBe(1);
    expect(compared.out).toContain('The runs differ\n');
    expect(compared.out).toContain('first difference in input: context\n  - tagValue: 5\n  + tagValue: 50\n');
    expect(compared.out).toMatch(
      /path: executed line\n {2}- step 4: TagValueManager.Set.* {2}\(line 6\)\n {2}\+ step 4: size = 'large'; {2}\(line 4\)/,
    );
    expect(compared.out).toMatch(/output: write\n {2}- write .* = 5 {2}\(line 6\)\n {2}\+ write .* = 50 /);
    expect(compared.out).toContain('exchanges, only different ones');
    expect(compared.out).not.toContain(`read ${NUMBER}`);
    const json = await commandLine(['compare', before.file, after.file, '--json', '--all']);
    expect(json.code).toBe(1);
    expect(comparison(json)).toMatchObject({ equal: false, sameBody: true, pathNote: null, more: 0 });
    expect(comparison(json).exchanges.map(({ differs }) => differs)).toEqual([false, true]);
    expect((await commandLine(['compare', before.file, after.file, '--all'])).out).toContain(`read ${NUMBER}`);
  });

  test('exits with 0 for equal runs, and compares a run of the journal', async () => {
    const one = await record(BODY, '--dry-run', '--tag-value', '5');
    const other = await record(BODY, '--dry-run', '--tag-value', '5');
    const equal = await commandLine(['compare', one.file, other.file]);
    expect(equal).toMatchObject({ code: 0 });
    expect(equal.out).toContain('The runs are equal: input, path and output');

    const run = await commandLine(['run', fileOf(BODY), '--tag-value', '7', '--json', '-w', workspace]);
    const { entry }: { entry: number } = JSON.parse(run.out);
    const compared = await commandLine(['compare', one.file, `run:${entry}`, '--json', '-w', workspace]);
    expect(compared.code).toBe(1);
    expect(comparison(compared)).toMatchObject({ input: { what: 'context', after: { text: 'tagValue: 7' } } });
    const missing = await commandLine(['compare', one.file, 'run:999999', '-w', workspace]);
    expect([1, 2]).toContain(missing.code);
  });

  test('exits with 2 for a file that is no capsule, and says which one', async () => {
    const good = await record('return 1', '--dry-run');
    const bad = fileOf('{"format":', 'json');
    const compared = await commandLine(['compare', good.file, bad]);
    expect(compared.code).toBe(2);
    expect(compared.err).toContain(`${bad}: The capsule cannot be read`);
    expect((await commandLine(['compare', good.file, `${bad}.none`])).code).toBe(2);
    expect((await commandLine(['compare', '-', '-'])).code).toBe(2);
  });

  test('says why a path is not known', async () => {
    const good = await record('return 1', '--dry-run');
    const bad = await record('return (', '--dry-run');
    const compared = comparison(await commandLine(['compare', good.file, bad.file, '--json']));
    expect(compared).toMatchObject({ sameBody: false, path: null, output: { what: 'result' } });
    expect(compared.pathNote).toContain('no statements that can be executed');
    const capsule = { ...good.capsule, calls: [] };
    writeFileSync(
      good.file,
      JSON.stringify({ ...capsule, script: { ...capsule.script, body: ["TagValueManager.Get(['A.B.C'])"] } }),
    );
    const missing = comparison(await commandLine(['compare', good.file, good.file, '--json']));
    expect(missing.pathNote).toContain('needs a call that the capsule does not contain');
  });
});
