import type { AnySchema, ErrorMap } from '@orpc/contract';
import { ContractProcedure, getEventIteratorSchemaDetails } from '@orpc/contract';
import type { AnyProcedure, Router as RouterOf } from '@orpc/server';
import { implement, lazy } from '@orpc/server';
import { z } from 'zod';
import type { Contract } from '#contract';
import { areas } from '#contract';
import type { ProcedureMeta } from '#contract/procedure';
import { mergeMockChanges } from '#domain/mock/mock';
import { inNaturalOrder } from '#domain/tag/tag-order';
import { withinResponse } from '../platform/response-size.ts';
import type { FaultLog } from './errors.ts';
import { toContractError } from './errors.ts';
import { ActiveRuns } from './active-runs.ts';
import type { Areas, Change, Services } from './services.ts';
import { changesOf, streamOf } from './streams.ts';

/** Maximum number of completions of a location. */
const MOST_LOCATIONS = 1_000;

export type Router = RouterOf<Contract, object>;

/**
 * The procedures that are not the method of the same name in the service of their area. `changes` is the subscription
 * `onChange`.
 */
function exceptionsOf(services: Services) {
  const {
    app,
    scripts,
    tags,
    tagDefinitions: definitions,
    usage,
    runs,
    debug,
    capsules,
    runContexts,
    settings,
  } = services;
  const inProgress = new ActiveRuns();
  return {
    app: { info: () => app.settledInfo() },
    groups: {
      create: (group) => scripts.createGroup(group),
      rename: (names) => scripts.renameGroup(names),
      delete: (group) => scripts.deleteGroup(group),
    },
    scripts: { usage: (script) => usage.ofScript(script) },
    drafts: {
      list: () => scripts.listDrafts(),
      get: (draft) => scripts.getDraft(draft),
      follow: (window, signal) => scripts.followDrafts(window, signal),
      take: (draft) => scripts.takeDraft(draft),
      put: (draft) => scripts.putDraft(draft),
      discard: (draft) => scripts.discardDraft(draft),
    },
    runs: {
      execute: ({ key, ...run }, signal) => inProgress.run(key, signal, (either) => runs.execute(run, either)),
      cancel: ({ key }) => ({ cancelled: inProgress.cancel(key) }),
    },
    debug: {
      values: ({ key, ...run }, signal) => inProgress.run(key, signal, (either) => debug.values(run, either)),
    },
    capsules: {
      record: ({ key, ...run }, signal) => inProgress.run(key, signal, (either) => capsules.record(run, either)),
    },
    tags: {
      list: (page) => definitions.list(page),
      definition: (tag) => definitions.definition(tag),
      save: (definition) => definitions.save(definition),
      problems: (definition) => definitions.problems(definition),
      delete: (selected) => definitions.delete(selected),
      formats: () => definitions.formats(),
      locations: () => {
        const all = new Set([...tags.storedLocations(), ...runContexts.locations()]);
        return { locations: inNaturalOrder([...all], (location) => location).slice(0, MOST_LOCATIONS) };
      },
      complete: (text) => definitions.complete(text),
      check: (paths) => definitions.check(paths),
      losses: (file) => definitions.losses(file),
      import: (file) => definitions.import(file),
      importing: (file, signal) => definitions.importing(file, signal),
      export: (selected) => definitions.export(selected),
      onChange: (listener) => definitions.onChange(listener),
      usage: (tag) => usage.ofTag(tag),
      uses: (paths) => usage.ofTags(paths),
      missing: () => usage.missing(),
      rename: (names) => usage.rename(names),
      get: async (selected, signal) => withinResponse(await tags.get(selected, signal)),
    },
    secrets: { usage: (secret) => usage.ofSecret(secret) },
    settings: { onChange: (listener) => settings.onNames(listener) },
  } satisfies { [A in keyof Areas]?: Partial<Areas[A]> };
}

type Exceptions = ReturnType<typeof exceptionsOf>;
/** All other procedures: methods of the service with the name of their area. */
type Others = { [A in keyof Areas]: Omit<Areas[A], A extends keyof Exceptions ? keyof Exceptions[A] : never> };

interface Merging<T> {
  /** Combines changes that wait for a slow reader. */
  merge(waiting: T, next: T): T;
}

const LATEST: Merging<unknown> = { merge: (_, next) => next };
/** In all other areas, the last change says enough: clients list again. */
const MERGING: { [A in keyof Areas]?: Merging<Change<A>> } = {
  mocks: { merge: mergeMockChanges },
  /** More than one changed script: which ones is not sent. */
  scripts: { merge: (waiting, next) => (waiting.scriptId === next.scriptId ? next : { scriptId: null }) },
  webhooks: { merge: (waiting, next) => (waiting.webhookId === next.webhookId ? next : { webhookId: null }) },
  settings: { merge: (waiting, next) => ({ keys: [...new Set([...waiting.keys, ...next.keys])] }) },
};

/**
 * The contract implemented over the services: input is validated before it reaches a service, and all exceptions of
 * services go through one conversion. Transports and the in-process client use this router.
 */
export function createRouter(services: Services, log: FaultLog): Router {
  const exceptions: Partial<Record<string, object>> = exceptionsOf(services);
  const others: Others & Partial<Record<string, object>> = { ...services, groups: {}, drafts: {} };
  const merging: Partial<Record<string, Merging<unknown>>> = MERGING;
  const lazily = Object.entries<() => Promise<object>>(areas).map(([area, load]) => {
    const own = exceptions[area] ?? {};
    const implemented = async () => {
      const procedures: Record<string, Described> = Reflect.get(await load(), area);
      const entries = Object.entries(procedures).map(([name, procedure]) => {
        const method = name === 'changes' ? 'onChange' : name;
        const service = Object.hasOwn(own, method) ? own : (others[area] ?? {});
        return [name, implementation(procedure, methodOf(service, method), merging[area] ?? LATEST, log)];
      });
      return { default: Object.fromEntries(entries) };
    };
    let loaded: ReturnType<typeof implemented> | undefined;
    return [area, lazy(() => (loaded ??= implemented()))];
  });
  return Object.fromEntries(lazily);
}

/** A procedure of the contract, with what it says about itself. */
type Described = ContractProcedure<AnySchema, AnySchema, ErrorMap, ProcedureMeta>;

/** The method of a procedure; its types were checked as a part of `Areas`. */
function methodOf(service: object, name: string) {
  return (...given: unknown[]) => Reflect.get(service, name).apply(service, given);
}

/** A procedure that calls its method in the way that its kind and its schemas describe. */
function implementation(
  { '~orpc': described }: Described,
  call: ReturnType<typeof methodOf>,
  merging: Merging<unknown>,
  log: FaultLog,
): AnyProcedure {
  // Responses are not validated at run time: the compiler checks the services, and validating a page of 50,000 tag
  // definitions would block main for 350 ms.
  const { outputSchema, ...unchecked } = described;
  const given = (input: unknown, signal?: AbortSignal) =>
    described.inputSchema === undefined ? [signal] : [input, signal];
  // The input is validated inside the first middleware, which converts its errors.
  const os = implement(new ContractProcedure(unchecked), { initialInputValidationIndex: 1 }).use(
    async ({ next, path, signal }) => {
      try {
        return await next();
      } catch (thrown) {
        throw toContractError(thrown, path.join('.'), signal, log);
      }
    },
  );
  if (described.meta.kind === 'changes') {
    return os.handler(({ signal }) => changesOf(call, (waiting, next) => merging.merge(waiting, next), signal));
  }
  if (getEventIteratorSchemaDetails(outputSchema)) {
    return os.handler(({ input, path, signal }) =>
      streamOf(
        (ended) => call(...given(input, ended)),
        signal,
        (thrown) => toContractError(thrown, path.join('.'), signal, log),
      ),
    );
  }
  if (hasContent(outputSchema)) return os.handler(({ input, signal }) => call(...given(input, signal)));
  return os.handler(async ({ input, signal }) => {
    await call(...given(input, signal));
    return {};
  });
}

const hasContent = (response: AnySchema | undefined): boolean =>
  !(response instanceof z.ZodObject) || Object.keys(response.shape).length > 0;
