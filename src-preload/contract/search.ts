import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import type { FoundItem, SearchEnd, SearchStep } from '#domain/search/found';
import { MATCH_ROLES, SEARCH_KINDS, SEARCH_LIMITS } from '#domain/search/found';
import type { RefusedItem, ReplaceOutcome, UndoOutcome } from '#domain/search/replaced';
import type { ScriptSymbol } from '#domain/search/symbol';
import { SYMBOL_KINDS, SYMBOL_LIMITS } from '#domain/search/symbol';
import { procedure } from './procedure.ts';
import { tagKind } from './schemas.ts';

const text = z.string().max(SEARCH_LIMITS.text);
const count = z.int().nonnegative();
const kind = z.enum(SEARCH_KINDS);

const query = z.object({
  text: text.min(1),
  regex: z.boolean().default(false),
  matchCase: z.boolean().default(false),
  wholeWord: z.boolean().default(false),
});

const request = z.object({
  query,
  kinds: z.array(kind).default([...SEARCH_KINDS]),
  include: text.default(''),
  exclude: text.default(''),
  window: z.string().min(1).max(50).nullable().default(null),
  limit: z.int().min(1).max(SEARCH_LIMITS.mostListed).default(SEARCH_LIMITS.listed),
});

const windowId = z.string().min(1).max(50).nullable().default(null);
const nullableText = z.string().nullable();
const symbol: z.ZodType<ScriptSymbol, ScriptSymbol> = z.object({
  name: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  container: nullableText,
  start: count,
  end: count,
  line: z.int().positive(),
  column: z.int().positive(),
  script: z.string(),
  scriptName: z.string(),
});
const match = z.object({
  start: count,
  end: count,
  line: z.int().positive(),
  column: z.int().positive(),
  before: z.string(),
  text: z.string(),
  after: z.string(),
  groups: z
    .object({
      numbered: z.array(nullableText),
      named: z.record(z.string(), nullableText).exactOptional(),
      cut: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  role: z.enum(MATCH_ROLES).exactOptional(),
});
const item: z.ZodType<FoundItem, FoundItem> = z.object({
  kind,
  key: z.string(),
  name: z.string(),
  tagKind: tagKind.exactOptional(),
  scriptId: z.int().positive().nullable(),
  readOnly: nullableText,
  texts: z.array(z.object({ field: z.string(), hash: z.string(), matches: z.array(match) })),
});
const end: z.ZodType<SearchEnd, SearchEnd> = z.object({
  items: count,
  matches: count,
  more: count,
  capped: z.boolean(),
});
const step: z.ZodType<SearchStep, SearchStep> = z.object({
  searched: count,
  total: count,
  items: z.array(item),
  end: end.nullable(),
});

const replaceRequest = z.object({
  query,
  replacement: z.object({ text, preserveCase: z.boolean().default(false) }),
  items: z
    .array(
      z.object({
        kind,
        key: z.string(),
        texts: z.array(z.object({ field: z.string(), hash: z.string(), starts: z.array(count).nullable() })),
      }),
    )
    .max(SEARCH_LIMITS.mostListed),
  window: z.string().min(1).max(50).nullable().default(null),
  dryRun: z.boolean().default(false),
});
const refused: z.ZodType<RefusedItem[], RefusedItem[]> = z.array(
  z.object({ kind, key: z.string(), name: z.string(), why: z.enum(['conflict', 'invalid']), reason: z.string() }),
);
const replaceOutcome: z.ZodType<ReplaceOutcome, ReplaceOutcome> = z.object({
  items: count,
  matches: count,
  refused,
  drafts: z.array(z.object({ key: z.string(), before: z.string(), after: z.string() })),
  undo: z.string().nullable(),
});
const undoOutcome: z.ZodType<UndoOutcome, UndoOutcome> = z.object({ items: count, refused });

/** Searches the texts of scripts, drafts, tests, tags, rules and mocks. */
export const search = {
  /**
   * The items with matches as they are found, at most ten times a second; the last message has the counts. Ending it
   * before that cancels the search. BAD_REQUEST for an invalid regular expression, or for one that takes too long.
   */
  find: procedure.write.input(request).output(eventIterator(step)),
  /** The functions, classes, methods and constants of all scripts whose names fit a text, best first. */
  symbols: procedure.read
    .input(
      z.object({
        text,
        limit: z.int().min(1).max(1_000).default(SYMBOL_LIMITS.listed),
        window: windowId,
      }),
    )
    .output(z.object({ symbols: z.array(symbol) })),
  /**
   * The definitions, calls and uses of a name in all scripts and drafts. Scripts share no code: the same name in another
   * script is a copy, or something else. Matches have no `role` in a body that does not parse.
   */
  references: procedure.read
    .input(z.object({ name: z.string().min(1).max(SYMBOL_LIMITS.name), window: windowId }))
    .output(z.object({ items: z.array(item), end })),
  /**
   * Replaces matches of `find` in one transaction over all items. `refused` has the items that stayed as they are: their
   * texts have changed since the search, or they could not be saved with the new ones. Scripts get a new version each.
   * Drafts are not saved here: `drafts` has their new bodies for their window, whose editor may have them open.
   */
  replace: procedure.write.input(replaceRequest).output(replaceOutcome),
  /**
   * Restores the texts from before one of the last ten replacements, in one transaction; items that have changed since
   * stay, and can be undone with the same id later. NOT_FOUND if it is not one of these, or nothing of it is left.
   */
  undo: procedure.write.input(z.object({ id: z.string().max(50) })).output(undoOutcome),
};
