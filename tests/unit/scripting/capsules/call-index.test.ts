import { describe, expect, test } from 'vitest';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { CallIndex } from '../../../../src-main/scripting/capsules/call-index.ts';
import { capsuleOf, getOf, nestedOf, reportOf, setOf, value } from './capsule-of.ts';

const A = 'Plant.A.Value';
const B = 'Plant.B.Value';
const write = (index: CallIndex, tag: string, written: number) => {
  const call = index.set([{ tag, value: written }], DEFAULT_SCOPE);
  if (call) index.made(call);
  return call;
};
const read = (index: CallIndex, tag: string) => index.reading(tag, DEFAULT_SCOPE)?.value.value;

describe('recorded readings', () => {
  test('are used once each, in order, whatever they were read with', () => {
    const index = new CallIndex(capsuleOf([getOf(value(A, 1), value(B, 10)), getOf(value(A, 2))]));
    expect([read(index, B), read(index, A), read(index, A), read(index, A), read(index, B)]).toEqual([
      10,
      1,
      2,
      undefined,
      undefined,
    ]);
    expect(index.readings(A, DEFAULT_SCOPE)).toBe(2);
  });

  test('belong to their scope', () => {
    const index = new CallIndex(capsuleOf([getOf(value(A, 1)), { ...getOf(value(A, 2)), diagram: 'D' } as never]));
    expect(index.reading(A, { diagram: 'D', location: '' })?.value.value).toBe(2);
    expect(index.reading(A, { diagram: '', location: 'D' })).toBeUndefined();
    expect(read(index, A)).toBe(1);
  });

  test('after a write are found after that write, also if an earlier read was removed', () => {
    const calls = [getOf(value(A, 1)), setOf(A, 2), getOf(value(A, 2)), setOf(A, 3), getOf(value(A, 3))];
    const skipping = new CallIndex(capsuleOf(calls));
    write(skipping, A, 3);
    expect(read(skipping, A)).toBe(3);
    const swapped = new CallIndex(capsuleOf(calls));
    write(swapped, A, 3);
    write(swapped, A, 2);
    expect(read(swapped, A)).toBe(2);
    const without = new CallIndex(capsuleOf(calls));
    expect([read(without, A), read(without, A)]).toEqual([1, undefined]);
  });

  test('after a script of a tag wrote are found after that', () => {
    const get = getOf(value(B, 5));
    const report = reportOf({ nested: [nestedOf(get.call, 'Plant.Script.Value', [A], [B])] });
    const index = new CallIndex(capsuleOf([getOf(value(A, 1)), get, getOf(value(A, 2))], { report }));
    const reading = index.reading(B, DEFAULT_SCOPE);
    expect(reading?.nested).toHaveLength(1);
    if (reading) index.made(reading.from);
    expect(read(index, A)).toBe(2);
  });

  test('of a Get that failed answer as a whole, in its turn', () => {
    const failed = { ...getOf(), paths: [A], error: { message: 'no' } };
    if (failed.kind === 'get') delete failed.values;
    const index = new CallIndex(capsuleOf([getOf(value(A, 1)), failed]));
    expect(index.failedGet([A], DEFAULT_SCOPE)).toBeNull();
    expect(index.failedGet([A], DEFAULT_SCOPE)).toMatchObject({ error: { message: 'no' } });
  });
});

describe('recorded Sets and API calls', () => {
  test('are found by their whole content, the nth for the nth', () => {
    const [first, second] = [setOf(A, 1), setOf(A, 1)];
    const index = new CallIndex(capsuleOf([first, setOf(A, 2), second]));
    expect([write(index, A, 1), write(index, A, 1), write(index, A, 1)]).toEqual([first, second, undefined]);
    expect(index.set([{ tag: A, value: 2 }], { diagram: 'D', location: '' })).toBeUndefined();
    expect(index.set([{ tag: A, value: null, unfit: { digits: '2' } }], DEFAULT_SCOPE)).toBeUndefined();
  });

  test('omitted arguments and null are the same', () => {
    const call = {
      kind: 'api' as const,
      call: 1,
      line: 1,
      clock: 0,
      operation: 'Fetch' as const,
      args: ['u', 'get', null],
    };
    const index = new CallIndex(capsuleOf([call, call]));
    expect(index.api('Fetch', ['u', 'get'])).toBe(call);
    expect(index.api('Fetch', ['u', 'get', null, null])).toBe(call);
    expect(index.api('Fetch', ['u', 'get'])).toBeUndefined();
    expect([index.apiCount('Fetch', ['u', 'get']), index.apiCount('Fetch', ['v', 'get'])]).toEqual([2, 0]);
  });
});
