import { fc } from '../../../support/run/random.ts';
import { expect, test } from 'vitest';
import { nameKey } from '#domain/text/name-key';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import type { ScriptLibrary } from '../../../../src-main/scripting/scripts/script-library.ts';
import { openLibrary } from './open-library.ts';

const name = fc.constantFrom('a', 'A', 'b', 'ä', 'a\u0308');
const id = fc.integer({ min: 1, max: 4 });
const text = { group: name, name, description: fc.constant(''), body: fc.constantFrom('1', '2') };
const action = fc.oneof(
  fc.record({
    do: fc.constant('save' as const),
    input: fc.record(
      { ...text, id, baseVersion: fc.nat(3) },
      { requiredKeys: ['group', 'name', 'description', 'body'] },
    ),
  }),
  fc.record({ do: fc.constantFrom('delete' as const, 'restore' as const), id }),
  fc.record({ do: fc.constantFrom('createGroup' as const, 'deleteGroup' as const), name }),
  fc.record({ do: fc.constant('renameGroup' as const), name, newName: name }),
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

function perform(library: ScriptLibrary, step: Action): Promise<unknown> {
  if (step.do === 'save') return library.save(step.input);
  if (step.do === 'renameGroup') return library.renameGroup(step);
  if ('id' in step) return library[step.do](step);
  return library[step.do](step);
}

/** The invariants of a library after any operation. */
function check(library: ScriptLibrary): void {
  const { groups, scripts } = library.list();
  expect(new Set(groups.map(nameKey)).size).toBe(groups.length);
  const names = scripts.map((script) => `${nameKey(script.group)}/${nameKey(script.name)}`);
  expect(new Set(names).size).toBe(names.length);
  for (const summary of scripts) {
    expect(groups).toContain(summary.group);
    const script = library.get({ id: summary.id });
    expect(library.get(summary)).toEqual(script);
    const versions = library.versions({ id: summary.id });
    expect(versions.map((version) => version.version)).toEqual(versions.map((_, index) => versions.length - index));
    expect(versions[0]).toMatchObject({ version: script.version, name: script.name, body: script.body });
  }
}

test('names stay unique, versions complete, and rejected changes have no effect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (steps) => {
      const { library, changes } = openLibrary();
      for (const step of steps) {
        const before = JSON.stringify(library.list());
        const notified = changes.length;
        const refusal = await perform(library, step).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        const asBefore = JSON.stringify(library.list()) === before && changes.length === notified;
        expect(refusal === null || (refusal instanceof TagwrightError && asBefore)).toBe(true);
        check(library);
      }
    }),
    { numRuns: 60 },
  );
});
