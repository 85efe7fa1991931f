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

test('each command of the list has help under its name', async () => {
  const list = (await runCommand(['--help'])).out;
  const names = [...list.slice(list.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(30);
  for (const name of names.filter((command) => command !== 'help')) {
    expect((await runCommand([name, '--help'])).out).toMatch(new RegExp(`^Usage: tagwright ${name}\\b`));
    expect(await helpFor([name, '--help'], '1.2.3')).toMatchObject({ code: 0 });
  }
});
