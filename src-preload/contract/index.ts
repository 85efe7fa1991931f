import type { AnyContractProcedure } from '@orpc/contract';

/**
 * All requests that a client can send to main, defined once: the types, the typed client and the router are derived
 * from the files of these areas. Errors have a code of `errors.ts`.
 *
 * The first call of an area loads its file. A short command calls one or two areas, and defining the schemas of all takes
 * as long as the rest of its work.
 */
export const areas = {
  app: () => import('./app.ts'),
  backups: () => import('./workspaces.ts'),
  workspaces: () => import('./workspaces.ts'),
  mocks: () => import('./mocks.ts'),
  calls: () => import('./api-calls.ts'),
  secrets: () => import('./api-calls.ts'),
  groups: () => import('./scripts.ts'),
  scripts: () => import('./scripts.ts'),
  capsules: () => import('./runs/capsules.ts'),
  drafts: () => import('./scripts.ts'),
  runs: () => import('./runs/runs.ts'),
  failures: () => import('./runs/failures.ts'),
  lens: () => import('./runs/lens.ts'),
  debug: () => import('./runs/debug.ts'),
  tags: () => import('./plant/tags.ts'),
  erp: () => import('./plant/plant.ts'),
  db: () => import('./plant/plant.ts'),
  diagrams: () => import('./plant/diagrams.ts'),
  scriptTests: () => import('./script-tests.ts'),
  runContexts: () => import('./runs/run-contexts.ts'),
  search: () => import('./search.ts'),
  journal: () => import('./journal.ts'),
  settings: () => import('./settings.ts'),
  rules: () => import('./aggregation.ts'),
  events: () => import('./aggregation.ts'),
  eventsApi: () => import('./events/events-api.ts'),
  consumers: () => import('./events/consumers.ts'),
  webhooks: () => import('./events/webhooks.ts'),
  hub: () => import('./events/hub.ts'),
  diagnostics: () => import('./diagnostics.ts'),
};

export type Contract = {
  [A in keyof typeof areas]: Awaited<ReturnType<(typeof areas)[A]>> extends Record<A, infer Procedures>
    ? Procedures
    : never;
};

/**
 * All areas with their procedures: for a process that stays, because an update may replace the files while it runs, and
 * for tools.
 */
export async function loadContract(): Promise<Record<string, Record<string, AnyContractProcedure>>> {
  const loaded = Object.entries<() => Promise<object>>(areas).map(
    async ([area, load]) => [area, Reflect.get(await load(), area)] as const,
  );
  return Object.fromEntries(await Promise.all(loaded));
}
