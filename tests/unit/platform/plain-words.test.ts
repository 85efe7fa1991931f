import { expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN, placeText } from '../../../src-main/platform/plain-words.ts';

const shape = z.strictObject({
  name: z.string().min(1),
  code: z.string().max(3, 'at most three letters'),
  count: z.int().min(200).max(599),
  mode: z.enum(['on', 'off']),
  flag: z.boolean(),
  pairs: z.array(z.tuple([z.string(), z.string()])).max(2),
  body: z.union([z.strictObject({ contains: z.string() }), z.strictObject({ json: z.json() })]).nullable(),
  answer: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('text'), text: z.string() }),
  ]),
  share: z.number().lt(1),
  data: z.base64(),
});
const FIT = {
  name: 'A',
  code: 'abc',
  count: 200,
  mode: 'on',
  flag: true,
  pairs: [['a', 'b']],
  body: null,
  answer: { kind: 'none' },
  share: 0.5,
  data: 'YQ==',
};

test.each<[object, string]>([
  [{ name: 5 }, 'name: must be text in quotes, not the number 5'],
  [{ name: undefined }, 'name: is missing: write text in quotes'],
  [{ name: '' }, 'name: must have at least one character'],
  [{ code: 'abcd' }, 'code: at most three letters'],
  [{ count: 'x' }, 'count: must be a number such as 12.5, not text'],
  [{ count: 200.5 }, 'count: must be a whole number such as 12, not the number 200.5'],
  [{ count: 99 }, 'count: must be at least 200, not 99'],
  [{ mode: 'of' }, 'mode: must be one of "on", "off", not "of"'],
  [{ mode: undefined }, 'mode: is missing: write one of "on", "off"'],
  [{ flag: 'yes' }, 'flag: must be true or false, not text'],
  [{ pairs: {} }, 'pairs: must be a list in brackets, [ ], not an object'],
  [{ pairs: [['a', 1]] }, 'pairs[0][1]: must be text in quotes, not the number 1'],
  [{ pairs: [[], [], []].map(() => ['a', 'b']) }, 'pairs: must have at most 2 items'],
  [{ body: { contains: 1 } }, 'contains must be text in quotes, not the number 1'],
  [{ body: 'x' }, 'body: must be an object in braces, { }, not text'],
  [{ answer: { kind: 'txt' } }, 'answer.kind: must be one of "none", "text", not "txt"'],
  [{ answer: {} }, 'answer.kind: must be one of "none", "text", but is missing'],
  [
    { answer: { kind: 'text', text: 'a', txt: 1 } },
    'answer: "txt" is not a field here: remove it, or write kind, text',
  ],
  [{ share: 1 }, 'share: must be less than 1, not 1'],
  [{ data: '#' }, 'data: must be base64'],
])('a problem says what to write instead: %j', (change, message) => {
  const { error } = shape.safeParse({ ...FIT, ...change }, PLAIN);
  const problems = error?.issues.map((issue) => `${placeText(issue.path)}: ${issue.message}`).join('\n');
  expect(problems).toContain(message);
  expect(problems).not.toMatch(/Invalid|expected|received/);
});
