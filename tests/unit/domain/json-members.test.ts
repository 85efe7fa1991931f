import { fc } from '../../support/run/random.ts';
import { expect, test } from 'vitest';
import { duplicateMember, lossInJson } from '../../../src-preload/domain/text/json-members.ts';

test.each([
  ['{"Active":true,"Active":false}', 'Active'],
  ['{"Active":true , "Active" \r\n\t: true}', 'Active'],
  ['{"Active":true,"\\u0041ctive":false}', 'Active'],
  ['{"a":{"b":1,"b":2}}', 'b'],
  ['[{"a":1},{"a":{"x":[{"é":1,"\\u00e9":2}]}}]', 'é'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a\\"b":1,"a\\u0022b":2}', 'a"b'],
  [`${'['.repeat(30_000)}{"a":1,"a":1}${']'.repeat(30_000)}`, 'a'],
])('%.60s has a duplicate member', (text, name) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(duplicateMember(text)).toBe(name);
});

test.each([
  '{"Active":true,"active":false}',
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '{"a":"a","b":"a\\": {\\"a\\":1,\\"a\\":2}"}',
  '[{"a":1},{"a":1}]',
  '["a","a"]',
  '{"a":["a","a",":"],"b":"\\\\","c":":"}',
  '"a"',
  '{}',
])('%s has none', (text) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(duplicateMember(text)).toBeNull();
});

test('JSON.stringify writes none; any duplicated member is found', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (around, object) => {
      expect(duplicateMember(JSON.stringify([around, object], null, 1))).toBeNull();
      const [name, value] = Object.entries(object)[0] ?? ['', null];
      const doubled = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
      expect(duplicateMember(`[${JSON.stringify(around)},${doubled}]`)).toBe(name);
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', 'the member "a" occurs more than once'],
  ['[{"__proto__":{"a":1}}]', '"__proto__"'],
  ['[{"\\u005f_proto__" : 1}]', '"__proto__"'],
  ['12345678901234567890123', 'rounded to 1.2345678901234568e+22'],
  ['{"a":[1e400]}', 'rounded to Infinity'],
  ['[1e-400]', 'rounded to 0'],
  ['[0.1000000000000000000001]', 'rounded to 0.1'],
])('%s would lose something', (text, loss) => {
  expect(lossInJson(text)).toContain(loss);
});

test.each([
  '"__proto__"',
  '["12345678901234567890123"]',
  '5.10',
  '[-0, 0.0, 0e9]',
  '1e21',
  '100E-2',
  '[0.1,-12.50,1e-7]',
])('%s loses nothing', (text) => {
  expect(lossInJson(text)).toBeNull();
});

test('the text of any number loses nothing', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(lossInJson(JSON.stringify([number]))).toBeNull();
      expect(lossInJson(`[${number.toExponential()}]`)).toBeNull();
    }),
  );
});
