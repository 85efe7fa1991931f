import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

/** Commands between backticks in the documents exist. Shell blocks are run by another test. */
const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(path, 'utf8');

interface Named {
  where: string;
  text: string;
}

/** The commands in the first column of the table of docs/operation/command-line.md. */
const TABLE: Named[] = [
  ...read(join(ROOT, 'docs/operation/command-line.md')).matchAll(/^\| (`[a-z][^\n]*?`) \| /gm),
].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => ({ where: 'docs/operation/command-line.md', text })),
);
const INLINE: Named[] = [join(ROOT, 'README.md'), ...globSync(join(ROOT, 'docs/**/*.md'))].flatMap((path) =>
  [...read(path).matchAll(/`(?:npx )?tagwright ([a-z][^`]*)`/g)].map(([, text = '']) => ({
    where: relative(ROOT, path),
    text,
  })),
);

/** The words at the start, such as `tags rename` of `tags rename OLD NEW [--update-scripts]`. */
const wordsOf = (text: string): string[] => /^[a-z]+(?: [a-z]+)*(?= |$)/.exec(text)?.[0].split(' ') ?? [];

/** The names of the commands that a help lists. */
function listed(help: string): string[] {
  const [, commands = ''] = help.split('\nCommands:\n');
  return [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

/** The commands of a group, in the groups inside it, too; the command itself if it is none. */
async function below(command: readonly string[]): Promise<string[]> {
  const group = listed((await runCommand([...command, '--help'])).out);
  if (group.length === 0) return [command.join(' ')];
  return (await Promise.all(group.map((name) => below([...command, name])))).flat();
}

/** The problem of a command in a document. */
async function wrongWith({ where, text }: Named): Promise<string[]> {
  let help = await runCommand(['--help']);
  const command: string[] = [];
  for (const word of wordsOf(text)) {
    const group = listed(help.out);
    if (group.length === 0) break;
    command.push(word);
    if (!group.includes(word)) return [`${where}: there is no command "${command.join(' ')}"`];
    help = await runCommand([...command, '--help']);
  }
  const options = [...text.matchAll(/--[a-z-]+/g)].map(([option]) => option);
  return options.filter((option) => !help.out.includes(option)).map((option) => `${where}: "${text}" has no ${option}`);
}

describe('commands in the documents', () => {
  test('those in the table exist, with their options', async () => {
    expect(TABLE.length).toBeGreaterThan(35);
    expect((await Promise.all(TABLE.map(wrongWith))).flat()).toEqual([]);
  });

  test('those in the text exist, with their options', async () => {
    expect(INLINE.length).toBeGreaterThan(20);
    expect((await Promise.all(INLINE.map(wrongWith))).flat()).toEqual([]);
  });

  test('every existing command is in the table', async () => {
    const named = new Set(TABLE.map(({ text }) => wordsOf(text).join(' ')));
    const all = await below([]);
    expect(all.length).toBeGreaterThan(35);
    expect(all.filter((command) => !named.has(command))).toEqual([]);
  });
});
