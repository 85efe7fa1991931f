import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { diagramAddress, parseDiagramAddress, problemOfDiagramName } from '#domain/tag/diagram';

const { assert, property, string } = fc;

describe('the address of a Diagram', () => {
  test('contains the Diagram and the location, whatever their names', () => {
    assert(
      property(string({ unit: 'grapheme', minLength: 1 }), string({ unit: 'grapheme' }), (name, workcenter) => {
        const { pathname, search } = new URL(diagramAddress(name, workcenter), 'http://localhost');
        if (problemOfDiagramName(name) !== null) return;
        expect(parseDiagramAddress(pathname, search)).toEqual({ name, workcenter });
      }),
    );
  });

  test.each(['/', '/diagrams', '/diagrams/', '/diagrams/a/b', '/diagrams/%E0%A4%A', '/other/a'])(
    '%s is not one',
    (path) => {
      expect(parseDiagramAddress(path, '')).toBeNull();
    },
  );
});
