import { expect, test } from 'vitest';
import { helpFor } from '../../../src-main/cli/help.ts';
import { runCommand } from './run-command.ts';

test.each([[], ['--help'], ['help', 'run'], ['run', '-h'], ['tags', 'import', '--help'], ['frobnicate', '--help']])(
  'the help of "tagwright %s %s %s" is that of the command itself',
  async (...args) => {
    const help = await helpFor(args, '1.2.3');
    expect(help).toEqual(await runCommand(args));
    expect((help?.out ?? '') + (help?.err ?? '')).toContain('Usage: tagwright');
  },
);

test.each([
  ['run', '--tag-name', '--help'],
  ['tags', 'list', '--', '--help'],
])('"tagwright %s %s …" asks for no help', async (...args) => {
  expect(await helpFor(args, '1.2.3')).toBeNull();
});
