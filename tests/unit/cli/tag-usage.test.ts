import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const EVERYWHERE =
  'script   Line/Fill        3:7\n' +
  'script   Line/Broken      1:1 (does not parse: searched as text)\n' +
  'draft    Line/New         1:2\n' +
  'context  Line/Fill        2 saved\n' +
  'tag      Plant.Sum.Value  expression 1:5\n' +
  'rule     Fill level       tags, outputs.Average\n' +
  'Diagram  Overview         value "Level", lamp\n' +
  'test     Line/Fill: Full  tags\n' +
  'mock     Order            body\n';

test('usage prints a line for every reference to a tag, or only JSON', async () => {
  expect(await runCommand(['tags', 'usage', 'A.B.C'])).toEqual({ code: 0, out: EVERYWHERE, err: '' });
  const json = await runCommand(['tags', 'usage', 'A.B.C', '--json']);
  expect(JSON.parse(json.out)).toMatchObject({ scripts: [{ id: 1 }, { id: 2 }], drafts: [{ key: 'new-1' }] });
});

test('rename lists the changes, and the remaining references to the former path', async () => {
  expect(await runCommand(['tags', 'rename', 'A.B.C', 'A.B.D'])).toEqual({
    code: 0,
    out: 'A.B.C is A.B.D now\n',
    err: `Remaining references to the former path:\n${EVERYWHERE}`,
  });
  expect(await runCommand(['tags', 'rename', 'A.B.C', 'A.B.D', '--update-scripts'])).toEqual({
    code: 0,
    out:
      'A.B.C is A.B.D now\n' +
      '  Line/Fill: 1 literal changed, version 3\n' +
      '  saved contexts of Line/Fill: changed\n' +
      '  Plant.Sum.Value: settings changed\n' +
      '  rule Fill level: changed\n' +
      '  Diagram Overview: changed\n' +
      '  test Line/Fill: Full: changed\n' +
      '  mock Order: changed\n',
    err:
      'Remaining references to the former path:\n' +
      'script  Line/Broken  1:1 (does not parse: searched as text)\n' +
      'draft   Line/New     1:2\n',
  });
});
