import type { AnySchema, InferContractRouterOutputs, InferSchemaOutput } from '@orpc/contract';
import type { Contract } from '#contract';
import type { MaybePromise } from '../platform/maybe-promise.ts';

type Outputs = InferContractRouterOutputs<Contract>;
type Area = keyof Contract;
/** Inputs parsed by the router, with their defaults. */
type Input<P> = P extends { '~orpc': { inputSchema?: infer Schema } }
  ? InferSchemaOutput<Extract<Schema, AnySchema>>
  : never;
type Item<T> = T extends AsyncIterator<infer Sent, unknown, unknown> ? Sent : never;
/** Responses without content may be anything. */
type Returned<T> = [Record<string, never>] extends [T] ? unknown : T;

/** The values of the stream `changes` of an area. */
export type Change<A extends Area> = Outputs[A] extends { changes: infer Stream } ? Item<Stream> : never;

/** Adds a listener; the returned function removes it. */
export type Subscribe<T> = (listener: (change: T) => void) => () => void;

/**
 * The implementation of a procedure in a service: without an input if it has none. The signal aborts when the result is
 * no longer needed; streams then end.
 */
type ServiceMethod<Given, Output> = [Item<Output>] extends [never]
  ? undefined extends Given
    ? (signal?: AbortSignal) => MaybePromise<Returned<Output>>
    : (input: Given, signal?: AbortSignal) => MaybePromise<Returned<Output>>
  : undefined extends Given
    ? (signal: AbortSignal) => AsyncIterable<Item<Output>>
    : (input: Given, signal: AbortSignal) => AsyncIterable<Item<Output>>;

/** All procedures of an area, by their names in the contract; `changes` is a subscription. */
type Service<A extends Area> = {
  [Name in Exclude<keyof Outputs[A] & keyof Contract[A], 'changes'>]: ServiceMethod<
    Input<Contract[A][Name]>,
    Outputs[A][Name]
  >;
} & ([Change<A>] extends [never] ? unknown : { onChange: Subscribe<Change<A>> });

/** The service of each area. */
export type Areas = { [A in Area]: Service<A> };

type DefinitionProcedures =
  | 'list'
  | 'definition'
  | 'save'
  | 'problems'
  | 'delete'
  | 'formats'
  | 'complete'
  | 'check'
  | 'losses'
  | 'import'
  | 'importing'
  | 'export'
  | 'onChange';

/**
 * What the router needs of the workbench. Every type follows from the contract, so that the compiler checks the
 * services. An area is one service, except where stated here.
 */
export interface Services {
  app: Omit<Service<'app'>, 'info'> & { settledInfo: Service<'app'>['info'] };
  mocks: Service<'mocks'>;
  calls: Service<'calls'>;
  secrets: Omit<Service<'secrets'>, 'usage'>;
  eventsApi: Service<'eventsApi'>;
  scripts: Omit<Service<'scripts'>, 'usage'> & {
    createGroup: Service<'groups'>['create'];
    renameGroup: Service<'groups'>['rename'];
    deleteGroup: Service<'groups'>['delete'];
    listDrafts: Service<'drafts'>['list'];
    getDraft: Service<'drafts'>['get'];
    followDrafts: Service<'drafts'>['follow'];
    takeDraft: Service<'drafts'>['take'];
    putDraft: Service<'drafts'>['put'];
    discardDraft: Service<'drafts'>['discard'];
  };
  tags: Omit<Service<'tags'>, DefinitionProcedures | 'usage' | 'uses' | 'missing' | 'rename' | 'locations'> & {
    storedLocations(): Iterable<string>;
  };
  tagDefinitions: Pick<Service<'tags'>, DefinitionProcedures>;
  usage: {
    ofTag: Service<'tags'>['usage'];
    ofTags: Service<'tags'>['uses'];
    missing: Service<'tags'>['missing'];
    ofScript: Service<'scripts'>['usage'];
    ofSecret: Service<'secrets'>['usage'];
    rename: Service<'tags'>['rename'];
  };
  erp: Service<'erp'>;
  backups: Service<'backups'>;
  workspaces: Service<'workspaces'>;
  db: Service<'db'>;
  diagrams: Service<'diagrams'>;
  lens: Service<'lens'>;
  capsules: Omit<Service<'capsules'>, 'record'> & {
    /** Aborting the signal cancels the run, which still reports. */
    record(
      input: Omit<Input<Contract['capsules']['record']>, 'key'>,
      signal: AbortSignal,
    ): MaybePromise<Outputs['capsules']['record']>;
  };
  runs: {
    /** Runs to the end; aborting the signal cancels the run, which still reports. */
    execute(
      input: Omit<Input<Contract['runs']['execute']>, 'key'>,
      signal: AbortSignal,
    ): MaybePromise<Outputs['runs']['execute']>;
  };
  failures: Service<'failures'>;
  debug: Omit<Service<'debug'>, 'values'> & {
    /** Aborting the signal cancels the run, which still reports. */
    values(
      input: Omit<Input<Contract['debug']['values']>, 'key'>,
      signal: AbortSignal,
    ): MaybePromise<Outputs['debug']['values']>;
  };
  scriptTests: Service<'scriptTests'>;
  runContexts: Service<'runContexts'> & { locations(): Iterable<string> };
  search: Service<'search'>;
  journal: Service<'journal'>;
  settings: Omit<Service<'settings'>, 'onChange'> & { onNames: Subscribe<Change<'settings'>> };
  rules: Service<'rules'>;
  events: Service<'events'>;
  consumers: Service<'consumers'>;
  webhooks: Service<'webhooks'>;
  hub: Service<'hub'>;
  diagnostics: Service<'diagnostics'>;
}
