import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { Contract } from '#contract';
import type { LoggedCall } from '#domain/mock/api-call';
import type { Mock, MockRoute, MocksChange } from '#domain/mock/mock';
import type { SavedContext, ScriptContexts } from '#domain/run/saved-context';
import type { ScriptTest, ScriptTestText } from '#domain/run/script-test';
import type { TagValue } from '#domain/tag/tag';
import type { MaybePromise } from '../platform/maybe-promise.ts';

type Inputs = InferContractRouterInputs<Contract>;
type Outputs = InferContractRouterOutputs<Contract>;
type Yields<T> = T extends AsyncIterator<infer Item, unknown, unknown> ? Item : never;

/** A method of a service: the input and the output of the contract's procedure of the same name. */
type Method<
  Area extends keyof Contract,
  Name extends keyof Inputs[Area] & keyof Outputs[Area],
> = undefined extends Inputs[Area][Name]
  ? () => MaybePromise<Outputs[Area][Name]>
  : (input: Inputs[Area][Name]) => MaybePromise<Outputs[Area][Name]>;

export type InstanceStatus = Yields<Outputs['app']['status']>;
export type ApiRequests = Yields<Outputs['eventsApi']['watchRequests']>;
export type RuleStates = Yields<Outputs['rules']['state']>;
export type RuleListChange = Yields<Outputs['rules']['changes']>;
export type EventListChange = Yields<Outputs['events']['changes']>;
export type LibraryChange = Yields<Outputs['scripts']['changes']>;
export type DiagramsChange = Yields<Outputs['diagrams']['changes']>;
export type ErpChange = Yields<Outputs['erp']['changes']>;
export type ScriptTestsChange = Yields<Outputs['scriptTests']['changes']>;
export type SettingsChange = Yields<Outputs['settings']['changes']>;
export type SecretsChange = Yields<Outputs['secrets']['changes']>;
export type TagImportProgress = Yields<Outputs['tags']['importing']>;
export type TagsChange = Yields<Outputs['tags']['changes']>;

/** Takes a listener and gives back the function that takes it off again. */
export type Subscribe<T> = (listener: (change: T) => void) => () => void;

export interface AppService {
  settledInfo: Method<'app', 'info'>;
  signOut: Method<'app', 'signOut'>;
  /** The state at once, then on every change, until the signal aborts. */
  status(signal: AbortSignal): AsyncIterable<InstanceStatus>;
}

export interface ScriptLibraryService {
  createGroup: Method<'groups', 'create'>;
  renameGroup: Method<'groups', 'rename'>;
  deleteGroup: Method<'groups', 'delete'>;
  list: Method<'scripts', 'list'>;
  get: Method<'scripts', 'get'>;
  save: Method<'scripts', 'save'>;
  delete: Method<'scripts', 'delete'>;
  restore: Method<'scripts', 'restore'>;
  history: Method<'scripts', 'history'>;
  version: Method<'scripts', 'version'>;
  versions: Method<'scripts', 'versions'>;
  onChange: Subscribe<LibraryChange>;
  listDrafts: Method<'drafts', 'list'>;
  putDraft: Method<'drafts', 'put'>;
  discardDraft: Method<'drafts', 'discard'>;
}

export interface TagsService {
  list: Method<'tags', 'list'>;
  definition: Method<'tags', 'definition'>;
  save: Method<'tags', 'save'>;
  delete: Method<'tags', 'delete'>;
  complete: Method<'tags', 'complete'>;
  check: Method<'tags', 'check'>;
  get: Method<'tags', 'get'>;
  set: Method<'tags', 'set'>;
  /** All values at once, then those that changed, coalesced while nobody reads, until the signal aborts. */
  watch(input: Inputs['tags']['watch'], signal: AbortSignal): AsyncIterable<TagValue[]>;
  onChange: Subscribe<TagsChange>;
  force: Method<'tags', 'force'>;
  release: Method<'tags', 'release'>;
  scopes: Method<'tags', 'scopes'>;
  clear: Method<'tags', 'clear'>;
  import: Method<'tags', 'import'>;
  /** As `import`, until the signal aborts. */
  importing(input: Inputs['tags']['importing'], signal: AbortSignal): AsyncIterable<TagImportProgress>;
  export: Method<'tags', 'export'>;
}

export interface DiagramsService {
  list: Method<'diagrams', 'list'>;
  get: Method<'diagrams', 'get'>;
  save: Method<'diagrams', 'save'>;
  delete(input: { id: number }): MaybePromise<unknown>;
  onChange: Subscribe<DiagramsChange>;
}

export interface RunContextsService {
  get: Method<'runContexts', 'get'>;
  keep(input: { id: number; context: SavedContext; used: boolean }): MaybePromise<ScriptContexts>;
  replace(input: { id: number; used: SavedContext[] }): MaybePromise<ScriptContexts>;
}

export interface ScriptTestsService {
  list: Method<'scriptTests', 'list'>;
  save(input: ScriptTestText & { scriptId: number; id?: number | undefined }): MaybePromise<ScriptTest>;
  delete(input: { id: number }): MaybePromise<unknown>;
  /** Aborting the signal cancels the run. */
  run(input: Inputs['scriptTests']['run'], signal?: AbortSignal): MaybePromise<Outputs['scriptTests']['run']>;
  onChange: Subscribe<ScriptTestsChange>;
}

export interface BackupsService {
  list: Method<'backups', 'list'>;
  create: Method<'backups', 'create'>;
  contents: Method<'backups', 'contents'>;
  restore: Method<'backups', 'restore'>;
}

export interface WorkspacesService {
  recent: Method<'workspaces', 'recent'>;
  create: Method<'workspaces', 'create'>;
  copy: Method<'workspaces', 'copy'>;
}

export interface DbService {
  try: Method<'db', 'try'>;
}

export interface ErpService {
  list: Method<'erp', 'list'>;
  export: Method<'erp', 'export'>;
  clear: Method<'erp', 'clear'>;
  onChange: Subscribe<ErpChange>;
}

export interface UsageService {
  ofTag: Method<'tags', 'usage'>;
  ofScript: Method<'scripts', 'usage'>;
  ofSecret: Method<'secrets', 'usage'>;
  rename: Method<'tags', 'rename'>;
}

export interface RunsService {
  /** Runs to the end; aborting the signal cancels the run, which still reports. */
  execute(input: Omit<Inputs['runs']['execute'], 'key'>, signal: AbortSignal): MaybePromise<Outputs['runs']['execute']>;
}

export interface SettingsService {
  get: Method<'settings', 'get'>;
  update: Method<'settings', 'update'>;
  reset: Method<'settings', 'reset'>;
  onNames: Subscribe<SettingsChange>;
}

export interface RulesService {
  list: Method<'rules', 'list'>;
  get: Method<'rules', 'get'>;
  save: Method<'rules', 'save'>;
  delete: Method<'rules', 'delete'>;
  restore: Method<'rules', 'restore'>;
  fire: Method<'rules', 'fire'>;
  rows: Method<'rules', 'rows'>;
  preview: Method<'rules', 'preview'>;
  /** All at once, then those of which something changed, until the signal aborts. */
  state(signal: AbortSignal): AsyncIterable<RuleStates>;
  onChange: Subscribe<RuleListChange>;
}

export interface EventsService {
  list: Method<'events', 'list'>;
  window: Method<'events', 'window'>;
  bulk(input: Inputs['events']['bulk'], signal: AbortSignal): AsyncIterable<Yields<Outputs['events']['bulk']>>;
  get: Method<'events', 'get'>;
  setActive: Method<'events', 'setActive'>;
  delete: Method<'events', 'delete'>;
  createTest: Method<'events', 'createTest'>;
  onChange: Subscribe<EventListChange>;
}

export interface MocksService {
  list: Method<'mocks', 'list'>;
  save(given: MockRoute & { id?: number | undefined; base?: MockRoute | undefined }): MaybePromise<Mock>;
  delete: Method<'mocks', 'delete'>;
  import(input: {
    format: 'auto' | 'tagwright' | 'openapi' | 'har';
    text: string;
    baseUrl?: string | undefined;
    replace: boolean;
  }): MaybePromise<Outputs['mocks']['import']>;
  export: Method<'mocks', 'export'>;
  resetHits(): MaybePromise<unknown>;
  check(route: MockRoute): MaybePromise<Outputs['mocks']['check']>;
  try(input: {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    url: string;
    headers: [string, string][];
    body: string | null;
    draft: { id: number | null; route: MockRoute } | null;
  }): MaybePromise<Outputs['mocks']['try']>;
  ofCall: Method<'mocks', 'ofCall'>;
  restore(input: { mocks: Mock[]; remove: number[] }): MaybePromise<Outputs['mocks']['restore']>;
  onChange: Subscribe<MocksChange>;
}

export interface CallsService {
  list: Method<'calls', 'list'>;
  /** What is kept at once, then new ones in batches, until the signal aborts. */
  watch(signal: AbortSignal): AsyncIterable<LoggedCall[]>;
  image: Method<'calls', 'image'>;
  clear: Method<'calls', 'clear'>;
}

export interface SecretsService {
  list: Method<'secrets', 'list'>;
  set(input: { name: string; value: string }): MaybePromise<unknown>;
  delete(input: { name: string }): MaybePromise<unknown>;
  onChange: Subscribe<SecretsChange>;
}

export interface EventsApiService {
  status: Method<'eventsApi', 'status'>;
  requests: Method<'eventsApi', 'requests'>;
  /** What is kept at once, then new ones in batches, until the signal aborts. */
  watchRequests(signal: AbortSignal): AsyncIterable<ApiRequests>;
}

export interface DiagnosticsService {
  /** Steps of a diagnosis, until the signal aborts. */
  run(input: Inputs['diagnostics']['run'], signal: AbortSignal): AsyncIterable<Yields<Outputs['diagnostics']['run']>>;
  support: Method<'diagnostics', 'support'>;
}

/**
 * What the router needs of the workbench. Every type here follows from the contract, so that the compiler holds the
 * services to it and procedures stay one line each.
 */
export interface Services {
  app: AppService;
  mocks: MocksService;
  calls: CallsService;
  secrets: SecretsService;
  eventsApi: EventsApiService;
  scripts: ScriptLibraryService;
  tags: TagsService;
  erp: ErpService;
  backups: BackupsService;
  workspaces: WorkspacesService;
  db: DbService;
  diagrams: DiagramsService;
  usage: UsageService;
  runs: RunsService;
  scriptTests: ScriptTestsService;
  runContexts: RunContextsService;
  settings: SettingsService;
  rules: RulesService;
  events: EventsService;
  diagnostics: DiagnosticsService;
}
