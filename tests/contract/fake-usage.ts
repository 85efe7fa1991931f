import type { TagUsage } from '#domain/tag/usage';
import type { Services } from '../../src-main/rpc/services.ts';

const usage: TagUsage = {
  scripts: [
    { id: 1, group: 'Line', name: 'Fill', version: 2, places: [{ line: 3, column: 7 }], exact: true },
    { id: 2, group: 'Line', name: 'Broken', version: 1, places: [{ line: 1, column: 1 }], exact: false },
  ],
  drafts: [{ key: 'new-1', scriptId: null, group: 'Line', name: 'New', places: [{ line: 1, column: 2 }], exact: true }],
  tags: [{ path: 'Plant.Sum.Value', kind: 'calculation', member: 'expression', line: 1, column: 5 }],
  rules: [{ id: 1, name: 'Fill level', members: ['tags', 'outputs.Average'] }],
};

/** Every tag has the same usage. */
export const fakeUsage: Services['usage'] = {
  ofTag: () => usage,
  ofScript: () => ({
    tags: [{ path: 'Plant.Script.Value', kind: 'script', member: 'readScript', line: null, column: null }],
  }),
  ofSecret: () => ({
    scripts: [{ id: 1, group: 'Line', name: 'Fill', version: 2, places: [{ line: 3, column: 7 }] }],
    drafts: [{ key: 'new-1', scriptId: null, group: 'Line', name: 'New', places: [{ line: 1, column: 2 }] }],
    mocks: [{ id: 1, name: 'Token', members: ['headers'] }],
    settings: ['api.proxy'],
  }),
  rename: ({ updateScripts }) =>
    updateScripts
      ? {
          scripts: [{ id: 1, group: 'Line', name: 'Fill', version: 3, literals: 1 }],
          tags: ['Plant.Sum.Value'],
          rules: ['Fill level'],
          left: { ...usage, scripts: usage.scripts.slice(1), tags: [], rules: [] },
        }
      : { scripts: [], tags: [], rules: [], left: usage },
};
