import { implement, isProcedure, Procedure } from '@orpc/server';
import { contract } from '#contract';
import { mergeMockChanges } from '#domain/mock/mock';
import { withinResponse } from '../platform/response-size.ts';
import type { FaultLog } from './errors.ts';
import { toContractError } from './errors.ts';
import { RunsUnderWay } from './runs-under-way.ts';
import type { Change, Services } from './services.ts';
import { changesOf, streamOf } from './streams.ts';

const done = {};

/** Combines changes that wait for a slow reader: the last one says enough. */
const latest = <T>(_waiting: T, next: T): T => next;
/** More than one changed script: which ones is not sent. */
const mergeLibraryChanges = (waiting: Change<'scripts'>, next: Change<'scripts'>): Change<'scripts'> =>
  waiting.scriptId === next.scriptId ? next : { scriptId: null };
const mergeSettings = (waiting: Change<'settings'>, next: Change<'settings'>): Change<'settings'> => ({
  keys: [...new Set([...waiting.keys, ...next.keys])],
});

/**
 * The contract implemented over the services: input is validated before it reaches a service, and all exceptions of
 * services go through one conversion. Transports and the in-process client use this router.
 */
export function createRouter(services: Services, log: FaultLog) {
  const { app, eventsApi, scripts, tags, tagDefinitions, erp, db, usage, runs, settings, rules, events } = services;
  const { mocks, calls, secrets, diagrams, backups, workspaces, scriptTests, runContexts, diagnostics } = services;
  const underWay = new RunsUnderWay();
  const os = implement(contract).use(async ({ next, path, signal }) => {
    try {
      return await next();
    } catch (thrown) {
      throw toContractError(thrown, path.join('.'), signal, log);
    }
  });
  const opened = <T>(
    { path, signal }: { path: readonly string[]; signal?: AbortSignal | undefined },
    open: (signal: AbortSignal) => AsyncIterable<T>,
  ) => streamOf(open, signal, (thrown) => toContractError(thrown, path.join('.'), signal, log));

  const router = os.router({
    app: {
      info: os.app.info.handler(() => app.settledInfo()),
      signOut: os.app.signOut.handler(() => app.signOut()),
      status: os.app.status.handler((call) => opened(call, (signal) => app.status(signal))),
    },
    rules: {
      list: os.rules.list.handler(() => rules.list()),
      get: os.rules.get.handler(({ input }) => rules.get(input)),
      save: os.rules.save.handler(({ input }) => rules.save(input)),
      delete: os.rules.delete.handler(async ({ input }) => (await rules.delete(input), done)),
      restore: os.rules.restore.handler(({ input }) => rules.restore(input)),
      fire: os.rules.fire.handler(({ input }) => rules.fire(input)),
      state: os.rules.state.handler((call) => opened(call, (signal) => rules.state(signal))),
      changes: os.rules.changes.handler(({ signal }) => changesOf(rules.onChange.bind(rules), latest, signal)),
      rows: os.rules.rows.handler(({ input }) => rules.rows(input)),
      preview: os.rules.preview.handler(({ input }) => rules.preview(input)),
    },
    events: {
      list: os.events.list.handler(({ input }) => events.list(input)),
      window: os.events.window.handler(({ input }) => events.window(input)),
      bulk: os.events.bulk.handler((call) => opened(call, (signal) => events.bulk(call.input, signal))),
      get: os.events.get.handler(({ input }) => events.get(input)),
      setActive: os.events.setActive.handler(({ input }) => events.setActive(input)),
      delete: os.events.delete.handler(async ({ input }) => (await events.delete(input), done)),
      changes: os.events.changes.handler(({ signal }) => changesOf(events.onChange.bind(events), latest, signal)),
      createTest: os.events.createTest.handler(({ input }) => events.createTest(input)),
    },
    eventsApi: {
      status: os.eventsApi.status.handler(() => eventsApi.status()),
      requests: os.eventsApi.requests.handler(({ input }) => eventsApi.requests(input)),
      watchRequests: os.eventsApi.watchRequests.handler((call) =>
        opened(call, (signal) => eventsApi.watchRequests(signal)),
      ),
    },
    groups: {
      create: os.groups.create.handler(async ({ input }) => (await scripts.createGroup(input), done)),
      rename: os.groups.rename.handler(async ({ input }) => (await scripts.renameGroup(input), done)),
      delete: os.groups.delete.handler(async ({ input }) => (await scripts.deleteGroup(input), done)),
    },
    scripts: {
      list: os.scripts.list.handler(() => scripts.list()),
      get: os.scripts.get.handler(({ input }) => scripts.get(input)),
      save: os.scripts.save.handler(({ input }) => scripts.save(input)),
      delete: os.scripts.delete.handler(async ({ input }) => (await scripts.delete(input), done)),
      restore: os.scripts.restore.handler(({ input }) => scripts.restore(input)),
      history: os.scripts.history.handler(({ input }) => scripts.history(input)),
      version: os.scripts.version.handler(({ input }) => scripts.version(input)),
      versions: os.scripts.versions.handler(({ input }) => scripts.versions(input)),
      usage: os.scripts.usage.handler(({ input }) => usage.ofScript(input)),
      changes: os.scripts.changes.handler(({ signal }) =>
        changesOf((listener) => scripts.onChange(listener), mergeLibraryChanges, signal),
      ),
    },
    drafts: {
      list: os.drafts.list.handler(() => scripts.listDrafts()),
      put: os.drafts.put.handler(async ({ input }) => (await scripts.putDraft(input), done)),
      discard: os.drafts.discard.handler(async ({ input }) => (await scripts.discardDraft(input), done)),
    },
    runs: {
      execute: os.runs.execute.handler(({ input: { key, ...run }, signal }) =>
        underWay.run(key, signal, (either) => runs.execute(run, either)),
      ),
      cancel: os.runs.cancel.handler(({ input }) => ({ cancelled: underWay.cancel(input.key) })),
    },
    tags: {
      list: os.tags.list.handler(({ input }) => tagDefinitions.list(input)),
      definition: os.tags.definition.handler(({ input }) => tagDefinitions.definition(input)),
      save: os.tags.save.handler(async ({ input }) => (await tagDefinitions.save(input), done)),
      delete: os.tags.delete.handler(async ({ input }) => (await tagDefinitions.delete(input), done)),
      usage: os.tags.usage.handler(({ input }) => usage.ofTag(input)),
      rename: os.tags.rename.handler(({ input }) => usage.rename(input)),
      complete: os.tags.complete.handler(({ input }) => tagDefinitions.complete(input)),
      check: os.tags.check.handler(({ input }) => tagDefinitions.check(input)),
      get: os.tags.get.handler(async ({ input, signal }) => withinResponse(await tags.get(input, signal))),
      set: os.tags.set.handler(({ input }) => tags.set(input)),
      watch: os.tags.watch.handler((call) => opened(call, (signal) => tags.watch(call.input, signal))),
      changes: os.tags.changes.handler(({ signal }) =>
        changesOf((listener) => tagDefinitions.onChange(listener), latest, signal),
      ),
      force: os.tags.force.handler(async ({ input }) => (await tags.force(input), done)),
      release: os.tags.release.handler(async ({ input }) => (await tags.release(input), done)),
      scopes: os.tags.scopes.handler(({ input }) => tags.scopes(input)),
      clear: os.tags.clear.handler(async ({ input }) => (await tags.clear(input), done)),
      import: os.tags.import.handler(({ input }) => tagDefinitions.import(input)),
      importing: os.tags.importing.handler((call) =>
        opened(call, (signal) => tagDefinitions.importing(call.input, signal)),
      ),
      export: os.tags.export.handler(({ input }) => tagDefinitions.export(input)),
    },
    diagrams: {
      list: os.diagrams.list.handler(() => diagrams.list()),
      get: os.diagrams.get.handler(({ input }) => diagrams.get(input)),
      save: os.diagrams.save.handler(({ input }) => diagrams.save(input)),
      delete: os.diagrams.delete.handler(async ({ input }) => (await diagrams.delete(input), done)),
      changes: os.diagrams.changes.handler(({ signal }) =>
        changesOf((listener) => diagrams.onChange(listener), latest, signal),
      ),
    },
    runContexts: {
      get: os.runContexts.get.handler(({ input }) => runContexts.get(input)),
      keep: os.runContexts.keep.handler(({ input }) => runContexts.keep(input)),
      replace: os.runContexts.replace.handler(({ input }) => runContexts.replace(input)),
    },
    scriptTests: {
      list: os.scriptTests.list.handler(({ input }) => scriptTests.list(input)),
      save: os.scriptTests.save.handler(({ input }) => scriptTests.save(input)),
      delete: os.scriptTests.delete.handler(async ({ input }) => (await scriptTests.delete(input), done)),
      run: os.scriptTests.run.handler(({ input, signal }) => scriptTests.run(input, signal)),
      changes: os.scriptTests.changes.handler(({ signal }) =>
        changesOf((listener) => scriptTests.onChange(listener), latest, signal),
      ),
    },
    backups: {
      list: os.backups.list.handler(() => backups.list()),
      create: os.backups.create.handler(() => backups.create()),
      contents: os.backups.contents.handler(({ input }) => backups.contents(input)),
      restore: os.backups.restore.handler(({ input }) => backups.restore(input)),
    },
    workspaces: {
      recent: os.workspaces.recent.handler(() => workspaces.recent()),
      create: os.workspaces.create.handler(({ input }) => workspaces.create(input)),
      copy: os.workspaces.copy.handler(({ input }) => workspaces.copy(input)),
    },
    db: {
      try: os.db.try.handler(({ input }) => db.try(input)),
    },
    erp: {
      list: os.erp.list.handler(({ input }) => erp.list(input)),
      export: os.erp.export.handler(({ input }) => erp.export(input)),
      clear: os.erp.clear.handler(({ input }) => erp.clear(input)),
      changes: os.erp.changes.handler(({ signal }) => changesOf((listener) => erp.onChange(listener), latest, signal)),
    },
    mocks: {
      list: os.mocks.list.handler(() => mocks.list()),
      save: os.mocks.save.handler(({ input }) => mocks.save(input)),
      delete: os.mocks.delete.handler(({ input }) => mocks.delete(input)),
      import: os.mocks.import.handler(({ input }) => mocks.import(input)),
      export: os.mocks.export.handler(() => mocks.export()),
      check: os.mocks.check.handler(({ input }) => mocks.check(input)),
      try: os.mocks.try.handler(({ input }) => mocks.try(input)),
      ofCall: os.mocks.ofCall.handler(({ input }) => mocks.ofCall(input)),
      restore: os.mocks.restore.handler(({ input }) => mocks.restore(input)),
      resetHits: os.mocks.resetHits.handler(async () => (await mocks.resetHits(), done)),
      changes: os.mocks.changes.handler(({ signal }) =>
        changesOf((listener) => mocks.onChange(listener), mergeMockChanges, signal),
      ),
    },
    calls: {
      list: os.calls.list.handler(({ input }) => calls.list(input)),
      watch: os.calls.watch.handler((call) => opened(call, (signal) => calls.watch(signal))),
      image: os.calls.image.handler(({ input }) => calls.image(input)),
      clear: os.calls.clear.handler(() => calls.clear()),
    },
    secrets: {
      list: os.secrets.list.handler(() => secrets.list()),
      set: os.secrets.set.handler(async ({ input }) => (await secrets.set(input), done)),
      delete: os.secrets.delete.handler(async ({ input }) => (await secrets.delete(input), done)),
      usage: os.secrets.usage.handler(({ input }) => usage.ofSecret(input)),
      changes: os.secrets.changes.handler(({ signal }) =>
        changesOf((listener) => secrets.onChange(listener), latest, signal),
      ),
    },
    diagnostics: {
      run: os.diagnostics.run.handler((call) => opened(call, (signal) => diagnostics.run(call.input, signal))),
      support: os.diagnostics.support.handler(() => diagnostics.support()),
    },
    settings: {
      get: os.settings.get.handler(() => settings.get()),
      update: os.settings.update.handler(({ input }) => settings.update(input)),
      reset: os.settings.reset.handler(({ input }) => settings.reset(input)),
      changes: os.settings.changes.handler(({ signal }) =>
        changesOf((listener) => settings.onNames(listener), mergeSettings, signal),
      ),
    },
  });
  return withoutOutputChecks(router);
}

/**
 * Responses are not validated at run time: the compiler checks the services, and validating a page of 50,000 tag
 * definitions would block main for 350 ms.
 */
function withoutOutputChecks<T extends object>(router: T): T {
  const entries = Object.entries(router).map(([name, member]) => {
    if (!isProcedure(member)) return [name, withoutOutputChecks(member)];
    const { outputSchema: _unchecked, ...definition } = member['~orpc'];
    return [name, new Procedure(definition)];
  });
  return Object.fromEntries(entries);
}

export type Router = ReturnType<typeof createRouter>;
