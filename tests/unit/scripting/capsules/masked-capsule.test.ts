import { expect, test } from 'vitest';
import { maskedCapsule } from '../../../../src-main/scripting/capsules/masked-capsule.ts';
import { capsuleOf, getOf, reportOf, value } from './capsule-of.ts';

const mask = (text: string) => text.replaceAll('Good', '***').replaceAll('two\nlines', '***');

test('masks secrets everywhere, except in the words of the format', () => {
  const {
    hash: _,
    masked: __,
    ...capsule
  } = capsuleOf([getOf({ ...value('Plant.A.Value', { Good: ['a Good'] }) })], {
    script: { name: null, version: null, body: ['const a = `two', 'lines`'] },
    report: reportOf({ result: { status: 'Good' }, console: [{ level: 'log', text: 'Good', at: 1 }] }),
  });
  const masked = maskedCapsule(capsule, mask, ['calls[0].args[1]']);
  expect(masked.calls[0]).toMatchObject({ values: [{ quality: 'Good', value: { '***': ['a ***'] } }] });
  expect(masked.script.body).toEqual(['const a = `***`']);
  expect(masked.report).toMatchObject({
    status: 'ok',
    result: { status: '***' },
    console: [{ level: 'log', text: '***' }],
  });
  expect(masked.masked).toEqual({
    places: [
      'calls[0].args[1]',
      'script.body',
      'calls[0].values[0].value.Good[0]',
      'report.result.status',
      'report.console[0].text',
    ],
    more: 0,
  });
});

test('without secrets, changes nothing; many places are counted', () => {
  const { hash: _, masked: __, ...capsule } = capsuleOf([]);
  expect(maskedCapsule(capsule, null, [])).toEqual({ ...capsule, masked: { places: [], more: 0 } });
  const places = Array.from({ length: 1_005 }, (_unused, at) => `calls[${at}].response`);
  expect(maskedCapsule(capsule, null, places).masked).toMatchObject({ more: 5 });
});
