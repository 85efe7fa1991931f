import type { SearchKind } from '#domain/search/found';
import { SEARCH_KINDS } from '#domain/search/found';
import type {
  RefusedItem,
  ReplacedDraft,
  ReplacedItem,
  ReplaceOutcome,
  ReplaceRequest,
  UndoOutcome,
} from '#domain/search/replaced';
import { grouped } from '#domain/text/grouped';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { Turns } from '../../platform/turns.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { Finder } from './finders.ts';
import { finderOf, named } from './finders.ts';
import type { SearchedKind, SearchedKinds, SearchSources, TextVisitor } from './searched-kinds.ts';
import { hashOf, textsOf } from './searched-kinds.ts';

/** The replacements that can be undone, and the characters of their texts. */
const MOST_UNDO = 10;
const MOST_UNDO_LENGTH = 64 * 1_048_576;
/** Characters of the texts of one replacement, from before and after. */
const MOST_HELD = 128 * 1_048_576;

/** A changed text of an item. */
interface TextChange {
  before: string;
  after: string;
}

/** The changes of an item, by field. */
interface ItemChange {
  kind: SearchKind;
  key: string;
  name: string;
  texts: Map<string, TextChange>;
  matches: number;
}

/** A text in which matches are to be replaced. */
interface ReplacementPlace {
  field: string;
  text: string;
  starts: ReadonlySet<number> | null;
}

export interface ReplacerParts {
  commits: CommitQueue;
  tags: SearchSources['tags'];
}

type Refusal = Pick<RefusedItem, 'why' | 'reason'>;

const CHANGED = 'It has changed since the search; search again.';
const TOO_MANY: Refusal = {
  why: 'invalid',
  reason: `All items together would have more than ${(MOST_HELD / 1_048_576).toString()} million characters; replace in fewer items at a time.`,
};

/** Replaces matches in items, and undoes that. */
export class Replacer {
  readonly #kinds: SearchedKinds;
  readonly #parts: ReplacerParts;
  /** The last replacements, oldest first. */
  readonly #done = new Map<string, readonly ItemChange[]>();

  constructor(kinds: SearchedKinds, parts: ReplacerParts) {
    this.#kinds = kinds;
    this.#parts = parts;
  }

  /**
   * Replaces matches in one transaction over all items. Items that have changed since they were searched, or that
   * could not be saved with their new texts, are not changed, and returned. Drafts are returned for their window.
   */
  async replace(request: ReplaceRequest, signal: AbortSignal): Promise<ReplaceOutcome> {
    const { dryRun } = request;
    const refused: RefusedItem[] = [];
    const valid = await this.#changesOf(request, refused, signal);
    signal.throwIfAborted();
    const [inDrafts, inItems] = [valid.filter(isDraft), valid.filter((change) => !isDraft(change))];
    const saved = dryRun ? inItems : await this.#save(inItems, refused);
    const done = [...saved, ...inDrafts];
    return {
      items: done.length,
      matches: done.reduce((sum, { matches }) => sum + matches, 0),
      refused,
      drafts: inDrafts.flatMap(draftsOf),
      undo: dryRun || saved.length === 0 ? null : this.#remember(saved),
    };
  }

  /**
   * Restores the texts from before a replacement, in one transaction. Items that have changed since stay, and can be
   * undone later. NOT_FOUND.
   */
  async undo(id: string): Promise<UndoOutcome> {
    const done = this.#done.get(id);
    if (!done) {
      throw new TagwrightError(
        'NOT_FOUND',
        'This replacement can no longer be undone. The history of each script has its former versions.',
      );
    }
    const refused: RefusedItem[] = [];
    const valid = await this.#valid(done.map(reversed), refused);
    const saved = await this.#save(valid, refused);
    const undone = new Set(saved.map(({ kind, key }) => `${kind}:${key}`));
    const left = done.filter(({ kind, key }) => !undone.has(`${kind}:${key}`));
    // Rejected changes can be retried.
    if (left.length > 0) this.#done.set(id, left);
    else this.#done.delete(id);
    return { items: saved.length, refused };
  }

  /** The changes of the requested items, item by item; rejects items that can't be changed. */
  async #changesOf(request: ReplaceRequest, refused: RefusedItem[], signal: AbortSignal): Promise<ItemChange[]> {
    const { items, window, dryRun } = request;
    await using finder = finderOf(request.query, signal);
    const turns = new Turns();
    const changes: ItemChange[] = [];
    let held = 0;
    for (const kind of SEARCH_KINDS) {
      const wanted = new Map(items.filter((item) => item.kind === kind).map((item) => [item.key, item]));
      if (wanted.size === 0) continue;
      for (const found of readTexts(this.#kinds, kind, window, wanted)) {
        wanted.delete(found.change.key);
        const refusal = refusalBefore(found) ?? (await fill(found, finder, request)) ?? found.refusal();
        const length = heldBy(found.change);
        if (refusal) refused.push({ ...about(found.change), ...refusal });
        else if (held + length > MOST_HELD) refused.push({ ...about(found.change), ...TOO_MANY });
        else if (found.change.matches > 0) {
          held += length;
          // The texts that are not saved are not needed.
          if (dryRun && !isDraft(found.change)) found.change.texts.clear();
          changes.push(found.change);
        }
        const pause = turns.due();
        if (pause) await pause;
        signal.throwIfAborted();
      }
      for (const key of wanted.keys()) {
        refused.push({ kind, key, name: key, why: 'conflict', reason: 'It no longer exists.' });
      }
    }
    return changes;
  }

  /** The changes after which their items can be saved. */
  async #valid(changes: readonly ItemChange[], refused: RefusedItem[]): Promise<ItemChange[]> {
    const turns = new Turns();
    const valid: ItemChange[] = [];
    for (const [kind, ofKind] of Map.groupBy(changes, (change) => change.kind)) {
      const problems = problemsIn(this.#kinds, kind, new Map(ofKind.map((change) => [change.key, change])));
      for (const [change, refusal] of problems) {
        if (refusal) refused.push({ ...about(change), ...refusal });
        else valid.push(change);
        const pause = turns.due();
        if (pause) await pause;
      }
    }
    return valid;
  }

  /** Saves the changes of items whose texts are still those from before; returns these changes. */
  async #save(changes: readonly ItemChange[], refused: RefusedItem[]): Promise<ItemChange[]> {
    if (changes.length === 0) return [];
    const done = new Set<ItemChange>();
    const byKind = Map.groupBy(changes, ({ kind }) => kind);
    const within = (): void => {
      for (const [kind, ofKind] of byKind) saveIn(this.#kinds, kind, ofKind, done);
    };
    const inTags = byKind.get('tags');
    if (inTags) {
      const byPath = new Map(inTags.map((change) => [change.key, change]));
      await this.#parts.tags.rewriteDefinitions(
        [...byPath.keys()],
        (tag) => changed(this.#kinds.tags, tag, byPath.get(tag.path), done),
        within,
      );
    } else {
      await this.#parts.commits.run(within);
    }
    for (const change of changes) {
      if (!done.has(change)) refused.push({ ...about(change), why: 'conflict', reason: CHANGED });
    }
    return changes.filter((change) => done.has(change));
  }

  #remember(changes: readonly ItemChange[]): string {
    const id = crypto.randomUUID();
    this.#done.set(id, changes);
    const lengthOf = (all: readonly ItemChange[]): number =>
      all.reduce((sum, { texts }) => [...texts.values()].reduce((more, { before }) => more + before.length, sum), 0);
    let length = 0;
    for (const [index, [known, all]] of [...this.#done].toReversed().entries()) {
      length += lengthOf(all);
      // The last one can always be undone.
      if (index > 0 && (index >= MOST_UNDO || length > MOST_UNDO_LENGTH)) this.#done.delete(known);
    }
    return id;
  }
}

const isDraft = ({ kind }: ItemChange): boolean => kind === 'drafts';
const about = ({ kind, key, name }: Pick<ItemChange, 'kind' | 'key' | 'name'>) => ({ kind, key, name });
const draftsOf = ({ key, texts }: ItemChange): ReplacedDraft[] => [...texts.values()].map((text) => ({ key, ...text }));

function reversed({ texts, ...change }: ItemChange): ItemChange {
  return {
    ...change,
    texts: new Map([...texts].map(([field, { before, after }]) => [field, { before: after, after: before }])),
  };
}

/** An item with the texts in which matches are to be replaced. */
interface FoundPlaces {
  /** Without texts yet. */
  change: ItemChange;
  readOnly: string | null;
  /** Null if a text is not the one that was searched. */
  places: ReplacementPlace[] | null;
  /** Characters by which a text can grow. */
  growth: number;
  /** Why the item can't be saved with the change. */
  refusal(): Refusal | null;
}

function* readTexts<K extends SearchKind>(
  kinds: Pick<SearchedKinds, K>,
  kind: K,
  window: string | null,
  wanted: ReadonlyMap<string, ReplacedItem>,
): Generator<FoundPlaces> {
  const searched = kinds[kind];
  const { growth } = searched;
  // Without the window: a script that has a draft by now is found, and has not changed.
  for (const item of searched.items(null)) {
    const { key, name, readOnly } = searched.about(item, window);
    const request = wanted.get(key);
    if (!request) continue;
    const change: ItemChange = { kind, key, name, texts: new Map(), matches: 0 };
    const texts = new Map(textsOf(searched, item).map(({ field, text }) => [field, text]));
    const places = request.texts.flatMap(({ field, hash, starts }): ReplacementPlace[] => {
      const text = texts.get(field);
      if (text === undefined || hashOf(text) !== hash) return [];
      return [{ field, text, starts: starts && new Set(starts) }];
    });
    const same = places.length === request.texts.length;
    yield {
      change,
      readOnly,
      places: same ? places : null,
      growth,
      refusal: () => refusalOf(searched, item, change),
    };
  }
}

function refusalBefore({ readOnly, places }: FoundPlaces): Refusal | null {
  if (readOnly !== null) return { why: 'invalid', reason: readOnly };
  return places === null ? { why: 'conflict', reason: CHANGED } : null;
}

/** Finds the matches of an item again, and makes its new texts: all of them or, if one would be too long, none. */
async function fill(
  { change, places, growth }: FoundPlaces,
  finder: Finder,
  { replacement }: ReplaceRequest,
): Promise<Refusal | null> {
  for (const { field, text, starts } of places ?? []) {
    const most = text.length + growth;
    const replaced = await finder.replace(text, starts, replacement, most).catch((thrown: unknown) => {
      throw named(thrown, [change.name]);
    });
    if (!replaced) return { why: 'invalid', reason: `${field}: it would have more than ${grouped(most)} characters.` };
    if (replaced.matches === 0) continue;
    change.matches += replaced.matches;
    change.texts.set(field, { before: text, after: replaced.text });
    if (heldBy(change) > MOST_HELD) return TOO_MANY;
  }
  return null;
}

const heldBy = ({ texts }: ItemChange): number =>
  [...texts.values()].reduce((sum, { before, after }) => sum + before.length + after.length, 0);

/** Each change with the reason why it can't be saved, or null. */
function* problemsIn<K extends SearchKind>(
  kinds: Pick<SearchedKinds, K>,
  kind: K,
  changes: ReadonlyMap<string, ItemChange>,
): Generator<[ItemChange, Refusal | null]> {
  const searched = kinds[kind];
  const left = new Set(changes.values());
  for (const item of searched.items(null)) {
    const change = changes.get(searched.about(item, null).key);
    if (!change) continue;
    left.delete(change);
    yield [change, refusalOf(searched, item, change)];
  }
  for (const change of left) yield [change, { why: 'conflict', reason: 'It no longer exists.' }];
}

function refusalOf<Item>(searched: SearchedKind<Item>, item: Item, change: ItemChange): Refusal | null {
  try {
    const reason = searched.problemOf(searched.visit(item, visitorOf(change)));
    return reason === null ? null : { why: 'invalid', reason };
  } catch (thrown) {
    if (thrown instanceof ChangedText) return { why: 'conflict', reason: CHANGED };
    return { why: 'invalid', reason: messageOf(thrown) };
  }
}

/** Inside the transaction. Tags are saved by their own library, in the same transaction. */
function saveIn<K extends SearchKind>(
  kinds: Pick<SearchedKinds, K>,
  kind: K,
  changes: readonly ItemChange[],
  done: Set<ItemChange>,
): void {
  const searched = kinds[kind];
  const byKey = new Map(changes.map((change) => [change.key, change]));
  searched.save?.([...byKey.keys()], (item) =>
    changed(searched, item, byKey.get(searched.about(item, null).key), done),
  );
}

/** The item with its new texts, or as it is if its texts have changed. */
function changed<Item>(
  searched: SearchedKind<Item>,
  item: Item,
  change: ItemChange | undefined,
  done: Set<ItemChange>,
): Item {
  if (!change) return item;
  try {
    const next = searched.visit(item, visitorOf(change));
    // Saving formats JSON: 5.10 becomes 5.1. An undo compares with that.
    for (const { field, text } of textsOf(searched, next)) {
      const { before } = change.texts.get(field) ?? {};
      if (before !== undefined) change.texts.set(field, { before, after: text });
    }
    done.add(change);
    return next;
  } catch (thrown) {
    if (thrown instanceof ChangedText) return item;
    throw thrown;
  }
}

/** A text is not the one that is to be replaced. */
class ChangedText extends Error {}

function visitorOf({ texts }: ItemChange): TextVisitor {
  return (text, field) => {
    const change = texts.get(field);
    if (!change) return text;
    if (text !== change.before) throw new ChangedText(field);
    return change.after;
  };
}
