import { setTimeout as delay } from 'node:timers/promises';
import type { ApiRequest } from '#domain/mock/api-request';
import type { Draft, Script, ScriptVersion } from '#domain/run/script';
import { draftKey } from '#domain/run/script';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import { TagwrightError } from '../../src-main/platform/errors.ts';
import type { Change, Services } from '../../src-main/rpc/services.ts';
import type { InstanceStatus } from '../../src-main/workspace/app/app-service.ts';
import { fakeCapsules, fakeFailures, fakeLens, fakeRunContexts, reportOf } from './fake-runs.ts';
import { fakeAggregation } from './fake-aggregation.ts';
import { fakeDebug } from './fake-debug.ts';
import { fakeDiagnostics } from './fake-diagnostics.ts';
import { fakeDiagrams } from './fake-diagrams.ts';
import { fakeBackups } from './fake-backups.ts';
import { fakeHub } from './fakes/hub.ts';
import { fakeConsumers } from './fakes/consumers.ts';
import { fakeWorkspaces } from './fake-workspaces.ts';
import { fakeErp } from './fake-erp.ts';
import { fakeScriptTests } from './fake-script-tests.ts';
import { fakeOutbound } from './fake-outbound.ts';
import { fakeJournal } from '../support/scripting/fake-journal.ts';
import { fakeSearch } from './fake-search.ts';
import { fakeUsage } from './fake-usage.ts';

/** Listeners that can be counted, so that tests find those that a transport did not remove. */
class Listeners<T> {
  readonly #all = new Set<(change: T) => void>();
  readonly subscribe = (listener: (change: T) => void) => {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  };
  emit(change: T): void {
    for (const listener of this.#all) listener(change);
  }
  get size(): number {
    return this.#all.size;
  }
}

export interface FakeServices extends Services {
  readonly script: Listeners<Change<'scripts'>>;
  readonly tag: Listeners<Change<'tags'>>;
  readonly status: Listeners<InstanceStatus>;
  /** Streams of tags.watch that were opened and have not ended. */
  readonly watches: number;
  /** Values read from the streams of tags.watch. */
  readonly batches: number;
  /** Saves that reached the library. */
  readonly saves: number;
  /** The error that the next call of the library or the tags throws. */
  failNext: unknown;
  /** The pending calls of runs.execute, and how the runs ended. */
  readonly running: number;
  readonly cancelled: number;
  readonly values: Map<string, TagValue>;
}

/** The status while the API does not listen. */
export const API = { url: null, problem: 'Port 4860 cannot be used.', freePort: 4870, faults: 0 };
const AT = '2026-01-02T03:04:05.678Z';

/** A request to the events API. */
export function requestOf(seq: number): ApiRequest {
  return {
    seq,
    at: AT,
    method: 'GET',
    path: '/api/events',
    status: 200,
    ms: 1.5,
    bytes: 1_000,
    client: '127.0.0.1:50000',
    userAgent: 'test',
    outcome: 'answered',
  };
}

export function definitionOf(path: string, settings: TagDefinition['settings'] = {}): TagDefinition {
  return { path, kind: 'storage', type: 'Double', description: '', unit: '', settings };
}

const missing = (what: string) => new TagwrightError('NOT_FOUND', `There is no ${what}.`, { data: { what } });

const LOSS = { path: 'Plant.Lossy', from: 'Double', to: 'Int', values: 2 };

/** Services in memory that fulfill the contract. `runs.execute` of the body `wait` continues until it is cancelled. */
export function fakeServices(tagCount = 3): FakeServices {
  const state = { watches: 0, batches: 0, saves: 0, running: 0, cancelled: 0, failNext: null as unknown };
  const script = new Listeners<Change<'scripts'>>();
  const tag = new Listeners<Change<'tags'>>();
  const status = new Listeners<InstanceStatus>();
  const groups = new Set(['Line']);
  const scripts = new Map<number, Script>();
  const versions: ScriptVersion[] = [];
  const drafts = new Map<string, Draft>();
  const definitions = new Map<string, TagDefinition>();
  const values = new Map<string, TagValue>();
  let settings: Settings = { ...DEFAULT_SETTINGS };

  const define = (definition: TagDefinition) => {
    definitions.set(definition.path, definition);
    values.set(definition.path, { path: definition.path, value: 0, quality: 'Good', type: definition.type });
  };
  for (let i = 0; i < tagCount; i++) define(definitionOf(`Plant.Tag${i}.Value`));

  const check = () => {
    const { failNext } = state;
    state.failNext = null;
    if (failNext !== null) throw failNext;
  };
  const scriptOf = (id: number) => {
    const found = scripts.get(id);
    if (!found) throw missing(`script ${id}`);
    return found;
  };
  const valueOf = (path: string): TagValue =>
    values.get(path) ?? { path, value: null, quality: 'BadNodeIdUnknown', type: 'Unknown' };

  return {
    script,
    tag,
    status,
    values,
    get watches() {
      return state.watches;
    },
    get batches() {
      return state.batches;
    },
    get saves() {
      return state.saves;
    },
    get running() {
      return state.running;
    },
    get cancelled() {
      return state.cancelled;
    },
    get failNext() {
      return state.failNext;
    },
    set failNext(thrown) {
      state.failNext = thrown;
    },
    app: {
      settledInfo: () => ({
        version: '0.1.0',
        workspace: '/w',
        pid: 1,
        eventsApi: null,
        eventsApiProblem: null,
        ui: null,
        startedAt: AT,
        restored: null,
        sandbox: { system: 'Linux', protection: 'none', layers: [], summary: 'Not active: a test.' },
      }),
      signOut: () => ({ sessions: 2 }),
      async *status(signal) {
        const first = { hosts: { idle: 2, busy: 0, starting: 0, restarts: 0 }, lastSavedAt: null, eventsApi: API };
        let next = Promise.withResolvers<InstanceStatus | null>();
        const unsubscribe = status.subscribe((now) => next.resolve(now));
        signal.addEventListener('abort', () => next.resolve(null), { once: true });
        try {
          for (let now: InstanceStatus | null = first; now; now = await next.promise) {
            next = Promise.withResolvers();
            yield now;
          }
        } finally {
          unsubscribe();
        }
      },
    },
    scripts: {
      createGroup: ({ name }) => {
        check();
        groups.add(name);
        return {};
      },
      renameGroup: ({ name, newName }) => {
        if (!groups.delete(name)) throw missing(`group ${name}`);
        groups.add(newName);
        return {};
      },
      deleteGroup: ({ name }) => {
        groups.delete(name);
        return {};
      },
      list: () => {
        check();
        return {
          groups: [...groups],
          scripts: [...scripts.values()].map(({ body: _body, ...summary }) => summary),
        };
      },
      get: (input) => {
        check();
        if ('id' in input) return scriptOf(input.id);
        const found = [...scripts.values()].find(({ group, name }) => group === input.group && name === input.name);
        if (!found) throw missing(`script ${input.group}/${input.name}`);
        return found;
      },
      save: ({ id = scripts.size + 1, baseVersion, group, name, description, body }) => {
        check();
        state.saves += 1;
        const version = (scripts.get(id)?.version ?? 0) + 1;
        if (baseVersion !== undefined && baseVersion !== version - 1) {
          throw new TagwrightError('CONFLICT', 'Somebody else saved it.', { data: { current: version - 1 } });
        }
        const saved = { id, group, name, description, body, version, savedAt: AT };
        scripts.set(id, saved);
        versions.unshift({ scriptId: id, group, name, description, body, version, savedAt: AT, savedBy: 'Jürgen' });
        script.emit({ scriptId: id });
        return saved;
      },
      delete: ({ id }) => {
        scriptOf(id);
        scripts.delete(id);
        return {};
      },
      restore: ({ id }) => {
        const version = versions.find(({ scriptId }) => scriptId === id);
        if (!version) throw missing(`script ${id}`);
        const { scriptId, savedBy: _by, ...rest } = version;
        scripts.set(scriptId, { id: scriptId, ...rest });
        return { id: scriptId, ...rest };
      },
      history: ({ id }) =>
        versions
          .filter(({ scriptId }) => scriptId === id)
          .map(({ version, savedAt, savedBy, group, name, body }) => {
            const bytes = Buffer.byteLength(body);
            return { version, savedAt, savedBy, group, name, bytes, changed: version === 1 ? [] : ['body'] };
          }),
      version: ({ id, version }) => {
        const saved = versions.find((one) => one.scriptId === id && one.version === version);
        if (!saved) throw missing(`version ${version}`);
        return saved;
      },
      versions: ({ id }) => versions.filter(({ scriptId }) => scriptId === id),
      named: ({ versions: wanted }) => wanted.map(() => null),
      onChange: script.subscribe,
      listDrafts: () => [...drafts.values()],
      getDraft: ({ key }) => {
        const draft = drafts.get(key);
        if (!draft) throw missing(`draft ${key}`);
        return draft;
      },
      followDrafts: async function* () {
        yield [...drafts.values()].map(({ description: _d, body: _b, ...draft }) => ({ ...draft, isOpen: false }));
      },
      takeDraft: ({ key, window }) => {
        const draft = drafts.get(key);
        if (!draft) throw missing(`draft ${key}`);
        return { ...draft, key: draftKey(key, window) };
      },
      putDraft: (draft) => {
        drafts.set(draft.key, draft);
        return {};
      },
      discardDraft: ({ key }) => {
        drafts.delete(key);
        return {};
      },
    },
    tagDefinitions: {
      list: ({ limit = 1_000, filter = '' }) => {
        check();
        const found = [...definitions.values()].filter(({ path }) => path.includes(filter));
        return { tags: found.slice(0, limit), total: found.length, next: null };
      },
      definition: ({ path }) => {
        const found = definitions.get(path);
        if (!found) throw missing(`tag ${path}`);
        return found;
      },
      save: (definition) => {
        define(definition);
        tag.emit({ total: definitions.size });
        return {};
      },
      delete: ({ paths }) => {
        for (const path of paths) definitions.delete(path);
        return {};
      },
      formats: () => ({ 'Plant.Tag0.Value': '0.00' }),
      complete: ({ text }) => ({
        tags: [...definitions.values()].filter(({ path }) => path.startsWith(text)),
        incomplete: false,
      }),
      check: ({ paths }) => ({
        unknown: paths
          .filter((path) => !definitions.has(path))
          .map((path) => ({ path, nearest: [...definitions.keys()] })),
      }),
      onChange: tag.subscribe,
      problems: ({ path }) => ({ issues: path === '' ? [{ path: ['path'], message: 'enter a path' }] : [] }),
      losses: ({ text }) => ({ losses: text.includes('Lossy') ? [LOSS] : [] }),
      import: ({ text, keepValues = false }) =>
        keepValues && text.includes('Lossy')
          ? { created: 0, updated: 0, refused: [], losses: [LOSS] }
          : { created: text.length, updated: 0, refused: [{ row: 1, path: 'a', reason: 'too short' }] },
      async *importing({ text }) {
        yield { checked: 0, total: 1, done: null };
        await delay(1);
        yield { checked: 1, total: 1, done: { created: text.length, updated: 0, refused: [] } };
      },
      export: ({ format }) => ({ text: format, count: definitions.size }),
    },
    tags: {
      storedLocations: () => ['W2', 'W1'],
      get: ({ paths }) => paths.map(valueOf),
      preview: () => ({ points: [{ at: 0, value: 1.5 }], min: 1.5, max: 1.5, periodMs: null, updateMs: 1_000 }),
      bad: () => ({ problems: [{ path: 'Plant.Bad.Value', kind: 'db', quality: 'BadTimeout' }], total: 1, read: 2 }),
      order: ({ paths }) => ({ order: [...paths.keys()].toReversed(), unread: 1 }),
      set: ({ items }) => {
        check();
        const failures = items
          .filter((item) => !values.has(item.tag))
          .map((item) => ({ tag: item.tag, reason: 'the tag does not exist' }));
        if (failures.length > 0) {
          throw new TagwrightError('WRITE_REFUSED', `Nothing was written: ${failures.length} refused.`, {
            data: { failures },
          });
        }
        for (const item of items) values.set(item.tag, { ...valueOf(item.tag), value: item.value });
        return items.map((item) => valueOf(item.tag));
      },
      /** Every 2 ms a batch of all values, each of the given size. */
      async *watch({ paths }, signal) {
        state.watches += 1;
        try {
          while (!signal.aborted) {
            check();
            state.batches += 1;
            yield paths.map(valueOf);
            await delay(2, undefined, { signal }).catch(() => {});
          }
        } finally {
          state.watches -= 1;
        }
      },
      force: ({ path, quality }) => {
        values.set(path, { ...valueOf(path), quality: quality ?? 'Good' });
        return {};
      },
      forceAll: ({ paths, quality }) => {
        for (const path of paths) values.set(path, { ...valueOf(path), quality: quality ?? 'Good' });
        return {};
      },
      release: () => ({}),
      past: ({ paths }) => paths.map((path) => ({ path, points: [{ at: 0, value: null }] })),
      scopes: ({ path }) => ({ values: [{ diagram: '', location: '', value: valueOf(path).value }] }),
      clear: ({ path }) => {
        values.set(path, { ...valueOf(path), value: null });
        return {};
      },
    },
    erp: fakeErp(),
    ...fakeDiagnostics(),
    ...fakeDiagrams(),
    ...fakeScriptTests(),
    ...fakeRunContexts(),
    ...fakeBackups(),
    ...fakeWorkspaces(),
    ...fakeOutbound(),
    db: {
      try: ({ sql, mode, value = null }) => {
        check();
        return {
          columns: ['sql', 'value'],
          rows: [[sql, value]],
          more: false,
          changes: mode === 'write' ? 1 : 0,
          ms: 0.5,
        };
      },
    },
    usage: fakeUsage,
    debug: fakeDebug,
    search: fakeSearch,
    journal: fakeJournal,
    runs: {
      execute: async ({ body, dryRun }, signal) => {
        if (body !== 'wait') return { ...reportOf(body), dryRun };
        state.running += 1;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        state.running -= 1;
        state.cancelled += 1;
        return reportOf(null, 'cancelled');
      },
    },
    failures: fakeFailures(),
    lens: fakeLens(),
    capsules: fakeCapsules(),
    ...fakeAggregation(),
    consumers: fakeConsumers(),
    hub: fakeHub(),
    eventsApi: {
      status: () => API,
      requests: ({ after = 0 }) => [requestOf(after + 1)],
      request: () => ({ messages: null }),
      async *watchRequests(signal) {
        for (let seq = 1; !signal.aborted; seq += 1) {
          yield [requestOf(seq)];
          await delay(2, undefined, { signal }).catch(() => {});
        }
      },
    },
    settings: {
      get: () => settings,
      update: (patch) => {
        settings = Object.assign({ ...settings }, patch);
        return settings;
      },
      reset: ({ keys }) => {
        const back = Object.entries(DEFAULT_SETTINGS).filter(([key]) => keys.some((one) => one === key));
        settings = Object.assign({ ...settings }, Object.fromEntries(back));
        return settings;
      },
      onNames: (listener) => {
        queueMicrotask(() => listener({ keys: ['hosts.count'] }));
        return () => {};
      },
    },
  };
}
