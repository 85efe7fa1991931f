import type { DebugProtocol } from '@vscode/debugprotocol';
import { describe, expect, test } from 'vitest';
import { fc } from '../../../../../support/run/random.ts';
import {
  rangesOf,
  type Root,
  VariableTree,
} from '../../../../../../src-renderer/features/scripts/debug/model/variable-tree.ts';

const root = (change: Partial<Root> = {}): Root => ({
  name: 'Local',
  value: '',
  type: '',
  kind: 'scope',
  ref: 1,
  indexed: 0,
  named: 0,
  isOpen: true,
  evaluateName: null,
  ...change,
});
const variable = (name: string, value: string, more: Partial<DebugProtocol.Variable> = {}): DebugProtocol.Variable => ({
  name,
  value,
  variablesReference: 0,
  ...more,
});

/** A run whose objects are these, by their references. */
function setUp(objects: Record<number, DebugProtocol.Variable[]>) {
  const asked: DebugProtocol.VariablesArguments[] = [];
  const tree = new VariableTree(async (args) => {
    asked.push(args);
    const found = objects[args.variablesReference];
    if (!found) throw new Error('This value is gone: the run has continued.');
    const { start = 0, count = found.length } = args;
    return found.slice(start, start + count);
  });
  const shown = () => tree.store.get().map(({ level, name, value }) => `${'  '.repeat(level - 1)}${name}=${value}`);
  const idOf = (name: string) => tree.store.get().find((row) => row.name === name)?.id ?? '';
  return { tree, asked, shown, idOf };
}

describe('variables of a paused run', () => {
  test('scopes unfold at first; members are read when they are unfolded', async () => {
    const { tree, asked, shown, idOf } = setUp({
      1: [variable('order', 'Object', { variablesReference: 2 }), variable('n', '1')],
      2: [variable('id', '7')],
    });
    await tree.show([root()]);
    expect(shown()).toEqual(['Local=', '  order=Object', '  n=1']);
    expect(asked.map(({ variablesReference }) => variablesReference)).toEqual([1]);
    await tree.toggle(idOf('order'), true);
    expect(shown()).toEqual(['Local=', '  order=Object', '    id=7', '  n=1']);
    await tree.toggle(idOf('order'), false);
    await tree.toggle(idOf('order'), true);
    expect(asked).toHaveLength(2);
  });

  test('what came with the stop is shown at once, and only the rest is read', async () => {
    const asked: DebugProtocol.VariablesArguments[] = [];
    const came = [variable('order', 'Object', { variablesReference: 2 }), variable('n', '1')];
    const tree = new VariableTree(
      async (args) => {
        asked.push(args);
        return [variable('id', '7')];
      },
      ({ variablesReference }) => (variablesReference === 1 ? came : null),
    );
    const shown = () => tree.store.get().map(({ name }) => name);
    const first = tree.show([root({ named: 2 })]);
    expect(shown()).toEqual(['Local', 'order', 'n']);
    await first;
    expect(asked).toEqual([]);
    await tree.toggle(tree.store.get()[1]?.id ?? '', true);
    // The former rows stay until an unfolded object is read.
    const next = tree.show([root({ named: 2 }), root({ name: 'Closure', ref: 3, isOpen: false })]);
    expect(shown()).toEqual(['Local', 'order', 'id', 'n']);
    await next;
    expect(shown()).toEqual(['Local', 'order', 'id', 'n', 'Closure']);
    expect(asked.map(({ variablesReference }) => variablesReference)).toEqual([2, 2]);
  });

  test('what was unfolded is unfolded at the next stop, with its new references', async () => {
    const objects: Record<number, DebugProtocol.Variable[]> = {
      1: [variable('order', 'Object', { variablesReference: 2 })],
      2: [variable('id', '7')],
    };
    const { tree, shown, idOf } = setUp(objects);
    await tree.show([root()]);
    await tree.toggle(idOf('order'), true);
    objects[11] = [variable('order', 'Object', { variablesReference: 12 })];
    objects[12] = [variable('id', '8')];
    delete objects[2];
    await tree.show([root({ ref: 11 })]);
    expect(shown()).toEqual(['Local=', '  order=Object', '    id=8']);
  });

  test('a long array is shown in ranges, each read when it is unfolded', async () => {
    const elements = Array.from({ length: 250 }, (_, index) => variable(String(index), `v${index}`));
    const { tree, asked, shown, idOf } = setUp({ 5: elements });
    await tree.show([root({ name: 'list', kind: 'variable', ref: 5, indexed: 250, named: 0 })]);
    expect(shown()).toEqual(['list=', '  [0 … 99]=', '  [100 … 199]=', '  [200 … 249]=']);
    expect(asked).toEqual([]);
    await tree.toggle(idOf('[200 … 249]'), true);
    expect(asked).toEqual([{ variablesReference: 5, filter: 'indexed', start: 200, count: 50 }]);
    expect(shown()).toHaveLength(4 + 50);
    expect(shown()[4]).toBe('    200=v200');
  });

  test('an object with very many members is read in pages', async () => {
    const members = Array.from({ length: 1_500 }, (_, index) => variable(`m${index}`, ''));
    const { tree, shown, idOf } = setUp({ 1: members });
    await tree.show([root()]);
    expect(shown()).toHaveLength(1 + 1_000 + 1);
    await tree.toggle(idOf('[1000 …]'), true);
    expect(shown()).toHaveLength(1 + 1_000 + 1 + 500);
  });

  test('a getter is called only on request', async () => {
    const { tree, asked, idOf } = setUp({
      1: [variable('size', '(...)', { variablesReference: 9, presentationHint: { lazy: true } })],
      9: [variable('size', '42')],
    });
    await tree.show([root()]);
    expect(tree.store.get()[1]).toMatchObject({ isLazy: true, expanded: undefined });
    expect(asked).toHaveLength(1);
    await tree.call(idOf('size'));
    expect(tree.store.get()[1]).toMatchObject({ name: 'size', value: '42', isLazy: false });
  });

  test('an object that cannot be read says why', async () => {
    const { tree, idOf } = setUp({ 1: [variable('gone', 'Object', { variablesReference: 3 })] });
    await tree.show([root()]);
    await tree.toggle(idOf('gone'), true);
    expect(tree.store.get()[1]?.problem).toBe('This value is gone: the run has continued.');
  });

  test('a later stop wins over the slow answer of an earlier one', async () => {
    const slow = Promise.withResolvers<DebugProtocol.Variable[]>();
    const tree = new VariableTree(({ variablesReference }) =>
      variablesReference === 1 ? slow.promise : Promise.resolve([variable('n', 'new')]),
    );
    const first = tree.show([root()]);
    await tree.show([root({ ref: 2 })]);
    slow.resolve([variable('n', 'old')]);
    await first;
    expect(tree.store.get()[1]?.value).toBe('new');
  });

  test('ranges cover all elements once, at most 100 of them', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 101, max: 2_000_000 }), (start, count) => {
        const ranges = rangesOf(start, count);
        expect(ranges.length).toBeLessThanOrEqual(100);
        expect(ranges.reduce((sum, range) => sum + range.count, 0)).toBe(count);
        for (const [index, range] of ranges.entries()) {
          const before = ranges[index - 1];
          expect(range.start).toBe(before ? before.start + before.count : start);
        }
      }),
    );
    expect(rangesOf(5, 100)).toEqual([]);
  });
});
