import { HTTP_VERBS } from '#domain/mock/api-call';
import { QUALITIES } from '#domain/tag/quality';
import { isDefaultScope, type ScopedValue, scopeName } from '#domain/tag/scope';
import type { TagDefinition, TagKind, TagValue } from '#domain/tag/tag';
import type { Client } from '../../../../client/client.ts';
import { remembered } from '../../../../support/local-storage.ts';
import { inFormat, shownValue } from '../../../../support/shown-value.ts';
import { monaco } from '../monaco.ts';
import { stringUseAfter } from './string-use.ts';
import type { StringUse } from './string-use.ts';
import { stringAt } from './tag-literals.ts';
import type { StringSpan } from './tag-literals.ts';
import { clock } from '../../../../support/moment.ts';

const MOST = 200;
const MOST_SCOPES = 8;

type TagClient = Pick<Client, 'tags' | 'diagrams'>;

const MEDIA_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/octet-stream',
  'application/pdf',
  'image/png',
  'image/svg+xml',
  'text/csv',
  'text/plain',
];
const { CompletionItemKind } = monaco.languages;

/** Kinds that JavaScript does not use; `editor.module.css` gives them the icons of tags. */
const ITEM_KINDS: Readonly<Record<TagKind, monaco.languages.CompletionItemKind>> = {
  machine: CompletionItemKind.Unit,
  storage: CompletionItemKind.Value,
  erp: CompletionItemKind.Reference,
  db: CompletionItemKind.Struct,
  calculation: CompletionItemKind.Operator,
  script: CompletionItemKind.Snippet,
};

/** A longer text is not searched for the use of a string. Characters. */
const MOST_CHARACTERS = 300_000;

/**
 * Completes the strings of calls (tag paths, verbs, media types, Diagrams, locations, qualities), and shows a tag and its value on
 * hover. Returns the function that removes both.
 */
export function registerTagLanguage({ tags, diagrams }: TagClient): () => void {
  const completion = monaco.languages.registerCompletionItemProvider('javascript', {
    triggerCharacters: ['"', "'", '`', '.', ' '],
    provideCompletionItems: async (model, position, _context, token) => {
      const span = spanAt(model, position);
      if (!span) return { suggestions: [] };
      const use = stringUseIn(model, position.lineNumber, span);
      const { lineNumber } = position;
      const range = {
        insert: new monaco.Range(lineNumber, span.startColumn, lineNumber, position.column),
        replace: new monaco.Range(lineNumber, span.startColumn, lineNumber, span.endColumn),
      };
      if (use !== 'path') {
        const texts = await untilCancelled(token, (signal) => textsFor(use, { tags, diagrams }, signal));
        return { suggestions: (texts ?? []).map((text, index) => suggestionOf(text, index, range)) };
      }
      const typed = span.text.slice(0, position.column - span.startColumn);
      const found = await untilCancelled(token, (signal) => tags.complete({ text: typed, limit: MOST }, { signal }));
      if (!found) return { suggestions: [] };
      const severalWords = /\s/.test(typed);
      return {
        incomplete: found.incomplete || severalWords,
        suggestions: found.tags.map((tag, index) => ({
          label: tag.path,
          kind: ITEM_KINDS[tag.kind],
          detail: [tag.kind, tag.type, tag.unit].filter((part) => part !== '').join(' · '),
          documentation: tag.description,
          insertText: tag.path,
          // Main matches several words; the editor would search for the space in the path.
          filterText: severalWords ? typed : tag.path,
          // Best first, in the order of main.
          sortText: String(index).padStart(4, '0'),
          range,
        })),
      };
    },
  });
  const hover = monaco.languages.registerHoverProvider('javascript', {
    provideHover: async (model, position, token) => {
      const span = spanAt(model, position);
      if (!span || !/^[^.\s][^.]*(\.[^.]+){2,}$/.test(span.text)) return null;
      const path = span.text;
      const found = await untilCancelled(token, async (signal) => {
        const [value] = await tags.get({ paths: [path] }, { signal });
        if (!value) return null;
        if (value.type === 'Unknown') return { value, tag: null, scoped: [] };
        const tag = await tags.definition({ path }, { signal });
        const scoped = tag.kind === 'storage' ? (await tags.scopes({ path }, { signal })).values : [];
        return { value, tag, scoped };
      });
      if (!found) return null;
      const range = new monaco.Range(position.lineNumber, span.startColumn, position.lineNumber, span.endColumn);
      if (!found.tag) return { range, contents: [{ value: `No tag has the path \`${path}\`.` }] };
      const { tag, value, scoped } = found;
      return {
        range,
        contents: [
          { value: `\`${tag.path}\`` },
          { value: `${valueText(value, tag)} · ${clock(new Date())}` },
          ...(value.reason === undefined ? [] : [{ value: escaped(value.reason) }]),
          ...scopedTexts(scoped, tag.format).map((text) => ({ value: text })),
          {
            value: [`${tag.kind} tag, ${tag.type}`, escaped(tag.description)].filter((text) => text !== '').join('. '),
          },
        ],
      };
    },
  });
  return () => {
    completion.dispose();
    hover.dispose();
  };
}

function stringUseIn(model: monaco.editor.ITextModel, lineNumber: number, span: StringSpan): StringUse {
  if (model.getValueLength() > MOST_CHARACTERS) return 'path';
  // Without the quote.
  return stringUseAfter(model.getValueInRange(new monaco.Range(1, 1, lineNumber, Math.max(1, span.startColumn - 1))));
}

/** The texts that a string with this use can have. */
async function textsFor(
  use: Exclude<StringUse, 'path'>,
  { tags, diagrams }: TagClient,
  signal: AbortSignal,
): Promise<readonly string[]> {
  switch (use) {
    case 'verb':
      return HTTP_VERBS.map((verb) => verb.toLowerCase());
    case 'mediaType':
      return MEDIA_TYPES;
    case 'quality':
      return QUALITIES;
    case 'diagram':
      return (await diagrams.list(undefined, { signal })).map(({ name }) => name);
    case 'location': {
      const { locations } = await tags.locations(undefined, { signal });
      // The workcenter of the Diagrams view may have no stored value yet.
      const shown = remembered('diagrams.workcenter', '').trim();
      return shown === '' || locations.includes(shown) ? locations : [shown, ...locations];
    }
    default:
      return [];
  }
}

function suggestionOf(
  text: string,
  index: number,
  range: monaco.languages.CompletionItem['range'],
): monaco.languages.CompletionItem {
  return {
    label: text,
    kind: CompletionItemKind.EnumMember,
    insertText: text,
    sortText: String(index).padStart(4, '0'),
    range,
  };
}

function valueText({ value, quality }: TagValue, { unit, format }: TagDefinition): string {
  return `**${escaped(inFormat(value, format) ?? shownValue(value, 120))}** ${escaped(unit)} — ${quality}`;
}

/** The values of a tag in other scopes than the default one. */
function scopedTexts(values: readonly ScopedValue[], format: string | undefined): string[] {
  const scoped = values.filter((value) => !isDefaultScope(value));
  const texts = scoped.slice(0, MOST_SCOPES).map((one) => {
    const { value } = one;
    return `${escaped(scopeName(one))}: **${escaped(inFormat(value, format) ?? shownValue(value, 60))}**`;
  });
  const more = scoped.length - texts.length;
  return [texts.join('  \n'), more > 0 ? `and ${more} more scopes` : ''].filter((text) => text !== '');
}

function spanAt(model: monaco.editor.ITextModel, position: monaco.Position): StringSpan | null {
  const line = model.getLineContent(position.lineNumber);
  const [tokens] = monaco.editor.tokenize(line, 'javascript');
  return stringAt(line, tokens ?? [], position.column);
}

async function untilCancelled<T>(
  token: monaco.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const end = new AbortController();
  const listening = token.onCancellationRequested(() => end.abort());
  try {
    return await work(end.signal);
  } catch {
    // A failed completion or hover needs no message: the next key retries.
    return null;
  } finally {
    listening.dispose();
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>]/g, String.raw`\$&`);
}
