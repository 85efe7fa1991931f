import type { Json, JsonObject } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { Scope, ScopedValue } from '#domain/tag/scope';
import type { TagDefinition, TagKind, TagType, TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { StoredWrite } from '../../../storage/repositories/write-intent-repository.ts';
import type { PendingWrites } from '../values/pending-writes.ts';
import type { ScriptEvaluator } from '../values/script-evaluator.ts';
import type { Tag } from '../definitions/tag.ts';

/** What is wrong with a member of a definition; `path` begins at the definition: `['settings', 'noise']`. */
export interface SettingIssue {
  path: (string | number)[];
  message: string;
}

export type ParsedSettings = { ok: true; settings: JsonObject } | { ok: false; issues: SettingIssue[] };

/** What a kind is given to read with. */
export interface ReadView {
  /** The moment of the call in ms since 1970: all tags of one Get are read at the same moment. */
  readonly now: number;
  /** Whether nothing may be kept: no value, no row, no call to the outside. */
  readonly dryRun: boolean;
  /** What this run or write set has written and not kept; reads must see it. Null where there is nothing. */
  readonly pending: PendingWrites | null;
  /** The tags whose reading or writing led here, outermost first: a kind that reads others finds a cycle with it. */
  readonly chain: readonly string[];
  /** Runs scripts as part of the run that this view belongs to. */
  readonly scripts: ScriptEvaluator;
  /** The tag of a path, if there is one. */
  tag(path: string): Tag | undefined;
  /** Reads other tags as this view sees them. */
  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]>;
  /**
   * Writes tags all or nothing, as a script does that runs because a tag is read: kept at once, or as the transaction
   * or dry run is that the view belongs to. Throws WRITE_REFUSED.
   */
  set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags>;
  /** The same view one tag further in: its chain ends with the path, its scripts are run by `scripts` where given. */
  within(path: string, scripts?: ScriptEvaluator): ReadView;
}

/** What a kind is given to write with. */
export interface WriteView extends ReadView {
  readonly pending: PendingWrites;
  /**
   * Writes further tags in the same transaction, as a write script does: all or nothing, kept only if the whole write
   * set is. Throws WRITE_REFUSED.
   */
  set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags>;
  within(path: string, scripts?: ScriptEvaluator): WriteView;
}

/** What a Set returns: the values as written, and what they were before, item by item. */
export interface WrittenTags {
  values: TagValue[];
  before: Json[];
}

/** A write that was checked and can no longer be refused. */
export interface PreparedWrite {
  before: Json;
  /** The value as written. */
  written: TagValue;
  /** Makes the write durable; runs inside the transaction and is synchronous. Not called in a dry run. */
  apply(): void;
  /**
   * Nobody reads what `apply` writes but after a restart: it may be made some turns of the event loop before the COMMIT.
   */
  readonly isReadFromMemory?: true;
  /** Brings the memory up to date; runs after the COMMIT and must not throw. */
  committed(): void;
  /** Where in memory the tag keeps the value, and what it has there now; absent where it keeps none. */
  kept?(): { slot: string; value: Json | undefined };
  /** What that place takes in memory beside the value; 0 where it is absent. */
  readonly placeBytes?: number;
  /**
   * The same as `apply` does, as data: it is made after a crash in the middle of a write set over two files. Absent
   * where `apply` writes nothing.
   */
  stored?(): StoredWrite;
}

export type Preparation = { ok: true; write: PreparedWrite } | { ok: false; reason: string };

/** A change of what a kind keeps for a tag, made in the same two steps as a write. */
export type StateChange = Pick<PreparedWrite, 'apply' | 'committed'>;

/** What the settings of a tag name: another tag by its path, or a script by its id. */
export type Reference =
  | {
      to: 'tag';
      path: string;
      /** The member of the settings that names it, such as `expression`. */
      member: string;
      /** Where in the text of the member, from 1; null where the member is no text with lines. */
      line: number | null;
      column: number | null;
    }
  | { to: 'script'; id: number; member: string };

interface KindBase {
  readonly kind: TagKind;

  /** Checks and completes the settings of a definition; what it returns, it accepts again unchanged. */
  parse(settings: JsonObject, type: TagType): ParsedSettings;

  /**
   * Reads settings that were checked when they were saved: as `parse`, without what takes long. Used at the start, where
   * present.
   */
  parseStored?(settings: JsonObject, type: TagType): ParsedSettings;

  /** The settings as the workspace keeps them, where that is not how people see them; `parse` accepts both. */
  stored?(settings: JsonObject): JsonObject;

  /**
   * Loads what the kind keeps for these tags into memory: at the start, and whenever one was created or redefined.
   * Their settings have been parsed.
   */
  attach(tags: readonly Tag[]): void;

  /** Forgets the memory of a tag that was deleted or has become another kind. */
  detach(tag: Tag): void;

  /** Removes what the kind has stored for a tag that becomes another kind; runs inside the transaction. */
  erase(tagId: number): void;

  /** Converts what is stored to a new type, or drops what does not convert; runs inside the transaction. */
  retype(tagId: number, type: TagType): void;

  /**
   * Checks one item of a Set. When it is right, its value is put into `view.pending`, where later items and nested
   * scripts see it. What it throws fails the whole Set.
   */
  prepare(write: { tag: Tag; value: Json; scope: Scope }, view: WriteView): MaybePromise<Preparation>;

  /**
   * The next moment (ms since 1970) at which a read may give another value without a write having been announced;
   * Infinity where every change is announced.
   */
  changesAt(tag: Tag, now: number): number;

  /** The tags that the value of a tag is made of: it may change when one of theirs does. */
  inputs?(tag: Tag): readonly string[];

  /** The paths of this kind's tags that have a path among their inputs. */
  dependents?(path: string): Iterable<string>;

  /** Everything that the settings of a tag name, for "where used"; absent for kinds whose settings name nothing. */
  references?(tag: Tag): readonly Reference[];

  /**
   * The settings with the tag `from` named `to` in every reference, and nothing else changed. Needed where `references`
   * gives tags. The result is parsed again before it is saved.
   */
  renameIn?(settings: JsonObject, from: string, to: string): JsonObject;

  /** What is wrong with definitions that are to be saved together, beyond the settings of each; by path. */
  problemsOf?(definitions: readonly TagDefinition[]): Map<string, SettingIssue>;

  /** Present where values can be overridden and qualities forced. */
  readonly overrides?: {
    force(tag: Tag, quality: Quality | null): StateChange;
    release(tag: Tag): StateChange;
  };

  /** Present where a tag holds values by scope. */
  readonly scopes?: {
    /** Those that are stored, in no order. */
    stored(tag: Tag): ScopedValue[];
    /** Takes the value of exactly this scope away. */
    clear(tag: Tag, scope: Scope): StateChange;
  };
}

/** A kind that has its values in memory. */
export interface ImmediateKind extends KindBase {
  readonly mode: 'immediate';
  /** Must not throw. The value is shared: frozen, not to be changed by anybody. */
  read(tag: Tag, scope: Scope, view: ReadView): TagValue;
}

/** A kind that asks somebody for its values, many in one call. */
export interface BatchKind extends KindBase {
  readonly mode: 'batch';
  /** Reading its tags again does nothing else: their values are of another file, which write sets change with this one. */
  readonly isOfOtherFile?: true;
  /** One value a tag, in order. What it throws becomes BadInternalError for all of them. */
  read(tags: readonly Tag[], scope: Scope, view: ReadView): MaybePromise<TagValue[]>;
}

/**
 * What a kind of tag does. A kind is one file that makes one of these, and a line in `index.ts`; the services know
 * kinds by this interface alone.
 */
export type KindOfTag = ImmediateKind | BatchKind;
