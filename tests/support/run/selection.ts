import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { picked, randomFrom } from './random-numbers.ts';

/** Of the tests that start processes and pages, one run of `npm test` takes this share. */
const SHARE = 1 / 4;
/** The short forms of the suites that search for lost data, hostile scripts and rare crashes: in every run. */
const ALWAYS = /\/(?:corpus|debugged-corpus|faults|fuzz-\w+|kill|power-failure|restore-ends|soak)\.test\.ts$/;
const WITH_PROCESSES = ['tests/integration/', 'tests/e2e/'];

/**
 * The test files of `npm test`: all that run in the process of the test, the suites that search for rare faults, and of
 * each folder of the others a quarter, selected by the seed, with those that are near a changed file.
 */
export function selectedFiles(all: readonly string[], changed: readonly string[], seed: number): string[] {
  const random = randomFrom(seed);
  const kept = new Set(all.filter((file) => !WITH_PROCESSES.some((folder) => file.startsWith(folder))));
  for (const folder of WITH_PROCESSES) {
    const files = all.filter((file) => file.startsWith(folder)).toSorted();
    for (const file of picked(files, Math.ceil(files.length * SHARE), random)) kept.add(file);
    for (const file of files) if (ALWAYS.test(file) || changed.some((path) => isNear(file, path))) kept.add(file);
  }
  return all.filter((file) => kept.has(file));
}

/** Whether a test file has changed itself, or all its folders are in the path of a changed source, as tests mirror sources. */
function isNear(test: string, changed: string): boolean {
  if (test === changed) return true;
  const folders = dirname(test).split('/').slice(2);
  const path = dirname(changed).split('/');
  return changed.startsWith('src-') && folders.length > 0 && folders.every((folder) => path.includes(folder));
}

/** The files that differ from the upstream branch, with those that are not committed; none without Git. */
export function changedFiles(): string[] {
  return [
    ...git('diff', '--name-only', '@{upstream}...HEAD'),
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

function git(...args: string[]): string[] {
  try {
    const printed = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return printed.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}
