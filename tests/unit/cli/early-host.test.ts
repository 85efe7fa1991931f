import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needsHost } from '../../../src-main/cli/early-host.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const free = sharedFolder();
const served = sharedFolder();
writeFileSync(join(served, 'instance.json'), '{}');

test.each([
  ['run', 'a.js', '--workspace', free],
  ['run', 'a.js', `--workspace=${free}`, '--json'],
  ['test', '-w', free],
])('a script host starts early for %s %s', (...args) => {
  expect(needsHost(args)).toBe(true);
});

test.each([
  ['a served workspace', ['run', 'a.js', '--workspace', served]],
  ['a served workspace, short', ['run', '-w', served, 'a.js']],
  ['a help', ['run', '--help', '--workspace', free]],
  ['a replay, whose host has another time zone', ['replay', 'a.json', '--workspace', free]],
  ['a command without scripts', ['tags', 'list', '--workspace', free]],
  ['no command', []],
])('no script host starts early for %s', (_, args) => {
  expect(needsHost(args)).toBe(false);
});

test('an option without its value is for the command to reject', () => {
  expect(() => needsHost(['run', 'a.js', '--workspace'])).not.toThrow();
});
