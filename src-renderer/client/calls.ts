import type { Contract } from '#contract';

type Groups = { [Group in keyof Contract]: `${Group}.${Extract<keyof Contract[Group], string>}` };

/** `tags.get`: every procedure of the contract by name. */
type ProcedureName = Groups[keyof Groups];

/** Procedures that return a stream: continued on the next connection after a loss. */
export const STREAMS: ReadonlySet<string> = new Set<ProcedureName>([
  'app.status',
  'eventsApi.watchRequests',
  'scripts.changes',
  'tags.watch',
  'tags.changes',
  'erp.changes',
  'diagrams.changes',
  'mocks.changes',
  'calls.watch',
  'secrets.changes',
  'scriptTests.changes',
  'settings.changes',
  'rules.state',
  'rules.changes',
]);

/** Procedures that change nothing: retried after a loss. Procedures in neither list are never sent twice. */
export const READS: ReadonlySet<string> = new Set<ProcedureName>([
  'app.info',
  'eventsApi.status',
  'eventsApi.requests',
  'scripts.list',
  'scripts.get',
  'scripts.history',
  'scripts.version',
  'scripts.versions',
  'scripts.usage',
  'drafts.list',
  'tags.list',
  'tags.definition',
  'tags.complete',
  'tags.check',
  'tags.get',
  'tags.usage',
  'tags.scopes',
  'tags.export',
  'backups.list',
  'backups.contents',
  'workspaces.recent',
  'diagrams.list',
  'diagrams.get',
  'erp.list',
  'erp.export',
  'mocks.list',
  'mocks.export',
  'mocks.check',
  'mocks.try',
  'mocks.ofCall',
  'calls.list',
  'calls.image',
  'secrets.list',
  'secrets.usage',
  'scriptTests.list',
  'runContexts.get',
  'scriptTests.run',
  'settings.get',
  'diagnostics.support',
  'events.window',
  'rules.list',
  'rules.get',
  'rules.rows',
  'rules.preview',
]);
