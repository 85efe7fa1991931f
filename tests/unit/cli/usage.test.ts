import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const folder = sharedFolder();
const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const script = file('script.js', 'return 1');

describe('wrong usage exits with 2, prints nothing on stdout, and says what to do', () => {
  const cases: [string, string[], RegExp][] = [
    ['an unknown command suggests the nearest', ['rnu', script], /unknown command 'rnu'.*Did you mean run\?/s],
    ['an unknown command like none there is', ['frobnicate'], /unknown command 'frobnicate'.*--help/s],
    ['an unknown option suggests the nearest', ['run', '--dryrun', script], /unknown option '--dryrun'.*--dry-run/s],
    ['an unknown command of a group', ['tags', 'lst'], /unknown command 'lst'.*Did you mean list\?/s],
    ['an argument too many', ['run', script, 'more'], /too many arguments/],
    ['neither file nor script', ['run'], /either a file .* or --script/],
    ['file and script', ['run', script, '--script', 'Line/Fill'], /either a file .* or --script/],
    ['an option without its value', ['run', script, '--tag-value'], /argument missing/],
    ['a missing file', ['run', join(folder, 'none.js')], /There is no file ".*none\.js"/],
    ['a folder', ['run', folder], /is a folder/],
    [
      'UTF-16',
      ['run', file('utf16.js', Buffer.from('\ufeffreturn 1', 'utf16le'))],
      /not text in UTF-8 \(it is UTF-16\)/,
    ],
    ['a binary', ['run', file('binary.js', Buffer.from([0x7f, 0x45, 0, 1]))], /zero byte/],
    [
      'UTF-16 without a mark',
      ['run', file('utf16le.js', Buffer.from('return 1', 'utf16le'))],
      /is not text: it contains 8 zero bytes\. Save it as text in UTF-8/,
    ],
    ['a zero byte in rules', ['rules', 'save', file('zero.json', '{"name": "a\0"}')], /it contains a zero byte/],
    ['Latin 1', ['run', file('latin.js', Buffer.from('return "ü"', 'latin1'))], /invalid bytes/],
    ['a body over 1 MB', ['run', file('large.js', `//${'x'.repeat(1_048_576)}`)], /at most 1,048,576 bytes/],
    [
      'bad JSON says where',
      ['run', script, '--tag-value', '{"a":'],
      /--tag-value is not JSON: .*\{"a":.*single quotes/s,
    ],
    [
      'bad JSON that lost its quotes',
      ['run', script, '--tag-value', 'hello'],
      /A text needs its quotes too: '"hello"'/,
    ],
    ['a name without a group', ['run', '--script', 'Fill'], /is not a script name. Write "Group\/Name"/],
    ['an unknown script', ['run', '--script', 'Line/None'], /There is no script Line\/None/],
    ['no paths', ['tags', 'get'], /missing required argument 'path'/],
    ['no equals sign', ['tags', 'set', 'Plant.Tag0.Value'], /is not an assignment/],
    ['a value that is not JSON', ['tags', 'set', 'Plant.Tag0.Value=on'], /value of Plant.Tag0.Value is not JSON/],
    [
      'a number that is rounded in silence elsewhere',
      ['tags', 'set', 'Plant.Tag0.Value=[1, 9007199254740993]'],
      /64 bits cannot represent the number 9007199254740993; round it, or write it as text/,
    ],
    ['a number beyond all', ['tags', 'set', 'Plant.Tag0.Value=1e400'], /cannot represent the number 1e400/],
    [
      'a member that is none',
      ['run', script, '--tag-value', '{"a": {"__proto__": 1}}'],
      /cannot be stored exactly: a member cannot be called "__proto__"/,
    ],
    ['a file without a known format', ['tags', 'import', file('tags.txt', '')], /does not show the format/],
    ['an unknown format', ['tags', 'export', 'x', '--format', 'xml'], /Allowed choices are csv, json/],
    ['a port that is none', ['serve', '--ui-port', '70000'], /from 0 .* to 65535/],
    ['an unknown setting', ['settings', 'set', 'limits.none=1'], /no setting "limits.none"/],
    ['a setting out of range', ['settings', 'set', 'hosts.count=99'], /^tagwright: hosts\.count: [^;]*16/],
    [
      'a folder that was not exported',
      ['import', join(folder, 'none')],
      /none" contains no tagwright\.json\. Choose a folder that "tagwright export" wrote/,
    ],
    [
      'a file in a folder that is not there',
      ['tags', 'export', join(folder, 'none', 'tags.csv')],
      /none\/tags\.csv" cannot be written: there is no folder ".*none"\.$/m,
    ],
  ];
  test.each(cases)('%s', async (_title, args, message) => {
    const { code, out, err } = await runCommand(args);
    expect(err).toMatch(message);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('a command without arguments shows its help', async () => {
    expect(await runCommand([])).toMatchObject({ code: 2, err: expect.stringContaining('Usage: tagwright') });
    expect(await runCommand(['tags'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Usage: tagwright tags'),
    });
  });
});

describe('help and version', () => {
  const commands = ['', 'start', 'serve', 'open', 'run', 'tags', 'tags list', 'tags get', 'tags set', 'tags import'];
  const more = [
    'tags export',
    'scripts',
    'scripts list',
    'scripts show',
    'scripts save',
    'scripts delete',
    'settings list',
  ];
  test.each([...commands, ...more, 'settings set'])('tagwright %s --help', async (command) => {
    const ended = await runCommand([...command.split(' ').filter(Boolean), '--help']);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain(`Usage: tagwright ${command}`.trimEnd());
  });

  test('tagwright --version', async () => {
    expect(await runCommand(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});

test('the help of no command breaks its lines by hand: the terminal does', async () => {
  const commandsIn = (text: string): string[] =>
    [...(text.split('Commands:\n')[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name ?? '');
  const texts: string[] = [];
  for (const name of commandsIn((await runCommand(['--help'])).out).filter((one) => one !== 'help')) {
    const { out } = await runCommand([name, '--help']);
    texts.push(out);
    for (const inner of commandsIn(out).filter((one) => one !== 'help')) {
      texts.push((await runCommand([name, inner, '--help'])).out);
    }
  }
  expect(texts.length).toBeGreaterThan(50);
  for (const text of texts) {
    const [, description = ''] = text.split('\n\n');
    const lines = description.split('\n');
    for (const [index, line] of lines.slice(0, -1).entries()) {
      // The first word of the next line would not have fitted.
      const [next = ''] = (lines[index + 1] ?? '').trim().split(' ');
      expect(line.length + 1 + next.length, text).toBeGreaterThan(79);
    }
  }
});
