import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRule } from '../../../../src-main/cli/rule-file.ts';
import { fakeServices } from '../../../contract/fake-services.ts';
import { runCommand } from '../run-command.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';

const file = join(sharedFolder(), 'rule.json');
const RULE = {
  name: 'Fill',
  triggersEvents: true,
  window: { kind: 'tumbling', everyMs: 60_000 },
  outputs: [{ name: 'average', reducer: 'avg', tag: 'Plant.Tag0.Value' }],
};

test('saved, listed, shown, fired and deleted', async () => {
  const services = fakeServices();
  const run = (...args: string[]) => runCommand(args, { services });
  writeFileSync(file, JSON.stringify(RULE));
  expect(await run('rules', 'save', file)).toMatchObject({
    code: 0,
    out: 'Saved "Fill" (1); its data rows go to agg_1\n',
  });
  expect((await run('rules', 'list')).out).toBe(
    'ID  NAME  ENABLED  EVENTS  WINDOW      RESULT TABLE\n1   Fill  yes      yes     every 60 s  agg_1\n',
  );
  const listed: unknown = JSON.parse((await run('rules', 'list', '--json')).out);
  expect(listed).toMatchObject([{ id: 1, name: 'Fill', triggersEvents: true, enabled: true, resultTable: 'agg_1' }]);
  const shown = await run('rules', 'show', 'Fill');
  writeFileSync(file, shown.out.replace('"average"', '"mean"'));
  expect((await run('rules', 'save', file, '--json')).code).toBe(0);
  expect(JSON.parse((await run('rules', 'show', '1', '--json')).out)).toMatchObject({
    id: 1,
    outputs: [{ name: 'mean' }],
  });
  expect((await run('fire', 'Fill', '--times', '3')).out).toBe('Fired 3 times: rows 1 to 3 of agg_1, events 1 to 3\n');
  expect(JSON.parse((await run('fire', '1', '--json')).out)).toMatchObject({ fired: 1, lastEvent: 4 });
  expect((await run('rules', 'delete', 'Fill', '--rows', 'drop')).out).toBe(
    'Deleted "Fill" (1); its data rows and events are being deleted\n',
  );
  expect(await run('rules', 'show', 'Fill')).toMatchObject({ code: 2, out: '' });
});

test('errors are reported', async () => {
  const fire = await runCommand(['fire', 'Fill', '--times', '1e3']);
  expect(fire).toMatchObject({ code: 2, err: expect.stringContaining('whole number from 1 to 100000') });
  writeFileSync(file, '[1]');
  expect(await runCommand(['rules', 'save', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining('not an object'),
  });
  expect(() => parseRule('{"name": 1}')).toThrow('name: ');
  expect(() => parseRule('{')).toThrow('Invalid JSON');
  expect(() => parseRule(JSON.stringify({ ...RULE, id: 'x' }))).toThrow('positive integer');
});

test('the example of the documentation is a rule', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/events/aggregations.md'), 'utf8');
  const [, example = ''] = /```json\n([^`]+)```/.exec(docs) ?? [];
  expect(parseRule(example)).toMatchObject({
    enabled: true,
    tags: ['Bottling.Line1.Filler.Valve1.FillVolume', 'Bottling.Line1.Filler.Speed.Value'],
  });
});

test('a preview prints windows with their outputs, and saves nothing', async () => {
  const services = fakeServices();
  writeFileSync(file, JSON.stringify(RULE));
  const shown = await runCommand(['rules', 'preview', file], { services });
  expect(shown).toMatchObject({ code: 0, err: expect.stringContaining('1 data row, 1 event') });
  expect(shown.err).toContain('Plant.Tag0.Value: no history');
  expect(shown.out).toMatch(/START +END +OUTCOME +SAMPLES +BAD +average\n.*fires +2 +0 +1\.5\n/);
  const json: unknown = JSON.parse((await runCommand(['rules', 'preview', file, '--json'], { services })).out);
  expect(json).toMatchObject({ windows: [{ outcome: 'fires', outputs: [1.5] }] });
  expect((await runCommand(['rules', 'list', '--json'], { services })).out).toBe('[]\n');
});
