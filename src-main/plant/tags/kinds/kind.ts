import type { Cause } from '#domain/run/journal';
import type { Json, JsonObject } from '#domain/text/json';
import type { PastValues } from '#domain/tag/past-values';
import type { Quality } from '#domain/tag/quality';
import type { Scope, ScopedValue } from '#domain/tag/scope';
import type { TagDefinition, TagKind, TagType, TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { StoredWrite } from '../../../storage/repositories/write-intent-repository.ts';
import type { PendingWrites } from '../values/pending-writes.ts';
import type { ScriptEvaluator, WrittenTags } from '#domain/run/script-evaluator';
import type { Tag } from '../definitions/tag.ts';

/** A problem with a member of a definition; `path` begins at the definition: `['settings', 'noise']`. */
export interface SettingIssue {
  path: (string | number)[];
  message: string;
}

export type ParsedSettings = { ok: true; settings: JsonObject } | { ok: false; issues: SettingIssue[] };

/** The context of a read. */
export interface ReadView {
  /** The moment of the call in ms since 1970: all tags of one Get are read at the same moment. */
  readonly now: number;
  /** Whether nothing may be stored: no value, no row, no outside call. */
  readonly dryRun: boolean;
  /** The pending writes of this run or write set; reads must see them. Null if there are none. */
  readonly pending: PendingWrites | null;
  /** The tags whose reading or writing led here, outermost first: a kind that reads others uses it to find cycles. */
  readonly chain: readonly string[];
  /**
   * The cycle that the last tag of the chain is part of, as `A → B → A`, if it was closed through this view, even if a
   * script ignored that. Null if there is none.
   */
  readonly cycle: string | null;
  /** What leads to changes through this view, for the journal. */
  readonly cause: Cause;
  /** Runs scripts as part of the run that this view belongs to. */
  readonly scripts: ScriptEvaluator;
  /** Aborts when the values are no longer needed: the run or the client that requested them has ended. */
  readonly signal: AbortSignal;
  /** The tag of a path, if there is one. */
  tag(path: string): Tag | undefined;
  /** Whether reading or writing a tag now would be a cycle: `A → B → A` if the entry is in the chain. */
  closesCycle(entry: string): string | null;
  /** Reads other tags through this view. */
  get(paths: readonly string[], scope: Scope, line?: number | null): MaybePromise<TagValue[]>;
  /**
   * Writes tags all or nothing, like a script that runs because a tag is read: stored at once, or as part of the
   * transaction or dry run of the view. Throws WRITE_REFUSED.
   */
  set(items: readonly TagWrite[], scope: Scope, line?: number | null): Promise<WrittenTags>;
  /** The same view one tag deeper: its chain ends with the path, its scripts are run by `scripts` if given. */
  within(path: string, scripts?: ScriptEvaluator): ReadView;
}

/** The context of a write. */
export interface WriteView extends ReadView {
  readonly pending: PendingWrites;
  /**
   * Writes more tags in the same transaction, like a write script: all or nothing, and stored only if the whole write
   * set is. Throws WRITE_REFUSED.
   */
  set(items: readonly TagWrite[], scope: Scope, line?: number | null): Promise<WrittenTags>;
  within(path: string, scripts?: ScriptEvaluator): WriteView;
}

/** A write that was checked and can no longer be rejected. */
export interface PreparedWrite {
  /** The value before; undefined if it was not read, because the tag itself stores none. */
  before: Json | undefined;
  /** The value as written. */
  written: TagValue;
  /** Makes the write durable; runs inside the transaction and is synchronous. Not called in a dry run. */
  apply(): void;
  /**
   * Nothing reads the data that `apply` writes until after a restart, so it may run some turns of the event loop before
   * the COMMIT.
   */
  readonly isReadFromMemory?: true;
  /** Updates the memory; runs after the COMMIT and must not throw. */
  committed(): void;
  /** Where in memory the tag stores the value, and the current one; absent if it stores none. */
  kept?(): { slot: string; value: Json | undefined };
  /** The memory that the place uses besides the value; 0 if it is absent. */
  readonly placeBytes?: number;
  /**
   * The effect of `apply` as data, for completing a write set over two files after a crash. Absent if `apply` writes
   * nothing.
   */
  stored?(): StoredWrite;
}

export type Preparation = { ok: true; write: PreparedWrite } | { ok: false; reason: string };

/** A change of the stored data of a tag, made in the same two steps as a write. */
export type StateChange = Pick<PreparedWrite, 'apply' | 'committed'>;

/** A reference in the settings of a tag: to another tag by its path, or to a script. */
export type Reference =
  | {
      to: 'tag';
      path: string;
      /** The member of the settings with the reference, such as `expression`. */
      member: string;
      /** The place in the text of the member, from 1; null if the member is not a text with lines. */
      line: number | null;
      column: number | null;
    }
  | {
      to: 'script';
      /** Also of a deleted script; null if there never was one with that name. */
      id: number | null;
      /** "Group/Name" */
      name: string;
      exists: boolean;
      member: string;
    };

interface KindBase {
  readonly kind: TagKind;

  /** Checks and completes the settings of a definition; accepts its own result unchanged. */
  parse(settings: JsonObject, type: TagType): ParsedSettings;

  /**
   * Reads settings that were checked when they were saved: like `parse`, without slow checks. Used at the start, if
   * present.
   */
  parseStored?(settings: JsonObject, type: TagType): ParsedSettings;

  /** The settings in their stored form, if it differs from the form that people see; `parse` accepts both. */
  stored?(settings: JsonObject): JsonObject;

  /**
   * Loads the stored data of these tags into memory: at the start, and whenever one was created or redefined. Their
   * settings are parsed.
   */
  attach(tags: readonly Tag[]): void;

  /** Releases the memory of a tag that was deleted or has changed its kind. */
  detach(tag: Tag): void;

  /** Removes the stored data of a tag that changes its kind; runs inside the transaction. */
  erase(tagId: number): void;

  /** How many stored values a change to a type would drop; null is a change of the kind. Absent if it stores none. */
  lostBy?(tag: Tag, type: TagType | null): number;

  /** Converts the stored data to a new type, or drops it if that fails; runs inside the transaction. */
  retype(tagId: number, type: TagType): void;

  /**
   * Checks one item of a Set. If it is valid, its value is put into `view.pending`, where later items and nested
   * scripts see it. An exception fails the whole Set.
   */
  prepare(write: { tag: Tag; value: Json; scope: Scope }, view: WriteView): MaybePromise<Preparation>;

  /**
   * The next moment (ms since 1970) at which a read may return another value without a notification of a write;
   * Infinity if there is a notification for every change.
   */
  changesAt(tag: Tag, now: number): number;

  /**
   * When the value that a read returns now last changed, ms since 1970; null if it never did, or not since that is
   * recorded. Absent for kinds that do not record it.
   */
  changedAt?(tag: Tag, scope: Scope, now: number): number | null;

  /** Its values in the past, in the default scope; absent for kinds that can't compute them. */
  past?(tag: Tag): PastValues;

  /** The dependencies of a tag: its value may change when one of theirs does. */
  inputs?(tag: Tag): readonly string[];

  /** The paths of this kind's tags that depend on a path. */
  dependents?(path: string): Iterable<string>;

  /** All references in the settings of a tag, for "where used"; absent for kinds whose settings refer to nothing. */
  references?(tag: Tag): Iterable<Reference>;

  /**
   * The settings with every reference to `from` changed to `to`, and nothing else changed. Required if `references`
   * returns tags. The result is parsed again before it is saved.
   */
  renameIn?(settings: JsonObject, from: string, to: string): JsonObject;

  /**
   * The settings in a form in which `parse` keeps names that do not exist: for imports, where a missing item must not
   * lose the others. Absent if `parse` keeps them anyway.
   */
  keepMissing?(settings: JsonObject): JsonObject;

  /** The problems of definitions that are saved together, beyond the settings of each; by path. */
  problemsOf?(definitions: readonly TagDefinition[]): Map<string, SettingIssue>;

  /** Present if values can be overridden and qualities forced. */
  readonly overrides?: {
    force(tag: Tag, quality: Quality | null): StateChange;
    release(tag: Tag): StateChange;
  };

  /** Present if a tag stores values by scope. */
  readonly scopes?: {
    /** The stored values, unordered. */
    stored(tag: Tag): ScopedValue[];
    /** The locations of the stored values of all tags of this kind, without the default one. */
    locations(): ReadonlySet<string>;
    /** Clears the value of exactly this scope. */
    clear(tag: Tag, scope: Scope): StateChange;
  };
}

/** A kind that has its values in memory. */
export interface ImmediateKind extends KindBase {
  readonly mode: 'immediate';
  /** Must not throw. The value is shared: frozen, never to be changed. */
  read(tag: Tag, scope: Scope, view: ReadView): TagValue;
}

/** A kind that fetches its values, many in one call. */
export interface BatchKind extends KindBase {
  readonly mode: 'batch';
  /**
   * Reading its tags again has no other effect: their values are in another file, which write sets change together with
   * this one.
   */
  readonly isOfOtherFile?: true;
  /** One value per tag, in order. An exception becomes BadInternalError for all of them. */
  read(tags: readonly Tag[], scope: Scope, view: ReadView): MaybePromise<TagValue[]>;
}

/**
 * The behavior of a kind of tag. A kind is one file that exports one of these, and a line in `index.ts`; the services
 * use kinds only through this interface.
 */
export type KindOfTag = ImmediateKind | BatchKind;
