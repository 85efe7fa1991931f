import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundleScriptHost } from '../../../src-main/scripting/sandbox/build/script-host.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { countedFile } from './passed-files.ts';

const HERE = import.meta.dirname;
/** The map of a bundle names its sources from here. */
const OUT = resolve(HERE, '../../../out');
const MOST_OF_GET = 13;
const MOST_OF_SAMPLE = 12;
/** Fewer than a run has lines for, and more than it calls anything else. */
const GETS = 400;

/** The files in a table of docs/architecture.md, by the bold text above it. */
function filesOf(title: string): string[] {
  const page = readFileSync(resolve(HERE, '../../../docs/architecture.md'), 'utf8');
  const [, table = ''] = page.slice(page.indexOf(`**${title}`)).split('\n\n|');
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file).toSorted();
}

/** What a program of this folder prints. */
async function outputOf(program: string, ...args: string[]): Promise<{ files: string[] } & Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(HERE, 'children', program), ...args]);
  return JSON.parse(stdout);
}

interface HostCoverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

/** The source files of a bundled script host with a function that ran at least that often. */
function filesOfHost(code: string, coverage: string, times: number): string[] {
  const [text = '', map = ''] = code.split('//# sourceMappingURL=data:application/json;charset=utf-8;base64,');
  const sources = new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString()));
  const results = readdirSync(coverage).map((name): HostCoverage =>
    JSON.parse(readFileSync(join(coverage, name), 'utf8')),
  );
  return results
    .flatMap(({ result }) => result.filter(({ url }) => url.endsWith('/host.cjs')))
    .flatMap(({ functions }) => functions.map(({ ranges: [whole] }) => whole))
    .flatMap((range) => {
      if (!range || range.count < times) return [];
      const before = text.slice(0, range.startOffset).split('\n');
      const entry = sources.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
      return 'originalSource' in entry ? (countedFile(resolve(OUT, entry.originalSource)) ?? []) : [];
    });
}

describe('the files in docs/architecture.md', () => {
  test('of a Get are those whose functions run once more for each, at most 13', async () => {
    const folder = temporaryFolder();
    const [hostFile, coverage] = [join(folder, 'host.cjs'), join(folder, 'coverage')];
    const code = await bundleScriptHost({ map: true });
    writeFileSync(hostFile, code);
    mkdirSync(coverage);
    const { files, ...run } = await outputOf('get.ts', join(folder, 'workspace'), hostFile, coverage, String(GETS));
    expect(run).toEqual({ status: 'ok', reads: GETS });
    const passed = new Set([...files, ...filesOfHost(code, coverage, GETS)]);
    expect(filesOf('A `Get` of a script')).toEqual([...passed].toSorted());
    expect(passed.size).toBeLessThanOrEqual(MOST_OF_GET);
  });

  test('of a firing are those whose functions run until its COMMIT, at most 12', async () => {
    const { files, rows, rounds } = await outputOf('fire.ts', join(temporaryFolder(), 'workspace'));
    expect(rows).toBe(rounds);
    expect(filesOf('A sample that fires a rule')).toEqual(files.toSorted());
    expect(files.length).toBeLessThanOrEqual(MOST_OF_SAMPLE);
  });

  test('of a sample of a rule with a condition are one more, besides the run', async () => {
    const { files } = await outputOf('fire.ts', join(temporaryFolder(), 'workspace'), 'last > 0');
    const others = new Set(filesOf('A sample that fires a rule'));
    expect(files.filter((file) => !others.has(file))).toEqual(['events/rules/conditions/condition.ts']);
  });
});
