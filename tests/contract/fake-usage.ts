import type { TagUsage, TestUse } from '#domain/tag/usage';
import type { Services } from '../../src-main/rpc/services.ts';

const test: TestUse = { id: 1, name: 'Full', scriptId: 1, group: 'Line', script: 'Fill', members: ['tags'] };
const usage: TagUsage = {
  scripts: [
    { id: 1, group: 'Line', name: 'Fill', version: 2, places: [{ line: 3, column: 7 }], exact: true },
    { id: 2, group: 'Line', name: 'Broken', version: 1, places: [{ line: 1, column: 1 }], exact: false },
  ],
  drafts: [{ key: 'new-1', scriptId: null, group: 'Line', name: 'New', places: [{ line: 1, column: 2 }], exact: true }],
  tags: [{ path: 'Plant.Sum.Value', kind: 'calculation', member: 'expression', line: 1, column: 5 }],
  rules: [{ id: 1, name: 'Fill level', members: ['tags', 'outputs.Average'] }],
  contexts: [{ scriptId: 1, group: 'Line', name: 'Fill', count: 2 }],
  diagrams: [{ id: 1, name: 'Overview', members: ['value "Level"', 'lamp'] }],
  tests: [test],
  mocks: [{ id: 1, name: 'Order', members: ['body'] }],
};

/** Every tag has the same usage. */
export const fakeUsage: Services['usage'] = {
  ofTag: () => usage,
  ofTags: () => ({ scripts: 2, drafts: 1, contexts: 2, tags: 1, rules: 1, diagrams: 1, tests: 1, mocks: 1 }),
  missing: () => [{ kind: 'rules', item: 'Fill level', script: null, member: 'tags', name: 'Plant.Gone.Value' }],
  ofScript: () => ({
    tags: [{ path: 'Plant.Script.Value', kind: 'script', member: 'readScript', line: null, column: null }],
    scripts: usage.scripts.slice(0, 1),
    rules: usage.rules,
    diagrams: usage.diagrams,
    tests: [{ ...test, members: [] }],
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
          contexts: ['Line/Fill'],
          tags: ['Plant.Sum.Value'],
          rules: ['Fill level'],
          diagrams: ['Overview'],
          tests: ['Line/Fill: Full'],
          mocks: ['Order'],
          left: {
            ...usage,
            scripts: usage.scripts.slice(1),
            contexts: [],
            tags: [],
            rules: [],
            diagrams: [],
            tests: [],
            mocks: [],
          },
        }
      : {
          scripts: [],
          contexts: [],
          tags: [],
          rules: [],
          diagrams: [],
          tests: [],
          mocks: [],
          left: usage,
        },
};
