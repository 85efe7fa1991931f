import { expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import type { TagValue } from '#domain/tag/tag';
import { inBatches, MAX_GET_TEXT, withinResponse } from '../../../src-main/platform/response-size.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const valueOf = (value: Json): TagValue => ({ path: 'A.B.C', value, quality: 'Good', type: 'Json' });

test('accepts any number of values, and rejects too many for one response', async () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => valueOf(index));
  expect(withinResponse(numbers)).toBe(numbers);
  const large = valueOf('x'.repeat(MAX_GET_TEXT / 8));
  expect(withinResponse(Array.from({ length: 8 }, () => large))).toHaveLength(8);
  const error = await thrownBy(() => withinResponse([...Array.from({ length: 8 }, () => large), valueOf(null)]));
  expect(error.code).toBe('BAD_REQUEST');
  expect(error.message).toContain('more than 67,108,864 characters in total: read fewer of them in one Get');
  const list = valueOf({ rows: Array.from({ length: 1_000_000 }, () => [null]) });
  expect((await thrownBy(() => withinResponse(Array.from({ length: 8 }, () => list)))).code).toBe('BAD_REQUEST');
});

test('makes batches in order, but only one if nothing is large', () => {
  expect([...inBatches([])]).toEqual([[]]);
  const values = [1, 'a', null].map(valueOf);
  expect([...inBatches(values)]).toEqual([values]);
});
