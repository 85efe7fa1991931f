import type { Diagram } from '#domain/tag/diagram';
import { TagwrightError } from '../../src-main/platform/errors.ts';
import type { Services } from '../../src-main/rpc/services.ts';

const PART = {
  id: 'p1',
  kind: 'lamp',
  x: 8,
  y: 16,
  width: 80,
  height: 40,
  label: 'ü',
  tag: 'A.B.C',
  value: [true],
} as const;

/** One Diagram in memory. */
export function fakeDiagrams(): Pick<Services, 'diagrams'> {
  const page = { width: 800, height: 600, parts: [{ ...PART, value: [true] }] };
  let diagram: Diagram = { ...page, id: 1, name: 'Overview', version: 1, savedAt: '2026-01-02T03:04:05.678Z' };
  return {
    diagrams: {
      list: () => [{ ...diagram, parts: diagram.parts.length }].map(({ width: _w, height: _h, ...summary }) => summary),
      get: (which) => {
        if ('id' in which ? which.id === diagram.id : which.name === diagram.name) return diagram;
        throw new TagwrightError('NOT_FOUND', 'There is no such Diagram.');
      },
      save: ({ id = 2, baseVersion = 0, ...text }) => {
        diagram = { ...text, id, version: baseVersion + 1, savedAt: diagram.savedAt };
        return diagram;
      },
      delete: () => ({}),
      onChange: (listener) => {
        queueMicrotask(() => listener({ id: diagram.id }));
        return () => {};
      },
    },
  };
}
