import { completeFromList } from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { json, jsonLanguage } from '@codemirror/lang-json';
import { SQLite, sql } from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import type { Place } from './place.ts';

/** `expression` is the JavaScript of a calculation: other tags by `tag('…')` and `quality('…')`. */
export type CodeLanguage = 'json' | 'sql' | 'javascript' | 'expression' | 'text';

export type CompleteTags = (text: string) => Promise<readonly string[]>;

/** What a language needs: its highlighting, indentation and completion. */
export function languageOf(language: CodeLanguage, completeTags: CompleteTags): Extension {
  switch (language) {
    case 'json':
      return json();
    case 'sql':
      return sql({ dialect: SQLite, upperCaseKeywords: true });
    case 'javascript':
      return javascriptLanguage;
    case 'expression':
      return [
        javascriptLanguage,
        javascriptLanguage.data.of({ autocomplete: (context: CompletionContext) => tagsAt(context, completeTags) }),
        javascriptLanguage.data.of({ autocomplete: REFERENCES }),
      ];
    default:
      return [];
  }
}

const REFERENCES = completeFromList([
  { label: 'tag', apply: "tag('", detail: "('path')", info: 'The value of a tag', type: 'function' },
  { label: 'quality', apply: "quality('", detail: "('path')", info: 'The quality of a tag', type: 'function' },
]);

const OPEN_PATH = /\b(?:tag|quality)\(\s*(['"`])([^'"`\n]{0,512})$/;

/** Tag paths, between the quotes of a reference. */
async function tagsAt(context: CompletionContext, completeTags: CompleteTags): Promise<CompletionResult | null> {
  const { text } = context.state.doc.lineAt(context.pos);
  const before = context.matchBefore(OPEN_PATH);
  if (!before) return null;
  const [, quote = "'", typed = ''] = OPEN_PATH.exec(before.text) ?? [];
  const paths = await completeTags(typed);
  if (context.aborted) return null;
  const line = context.state.doc.lineAt(context.pos);
  // Up to the closing quote, the path is replaced; without one, the reference is completed.
  const rest = /^[^'"`()\n]*(?=(['"`]))/.exec(text.slice(context.pos - line.from))?.[0];
  return {
    from: context.pos - typed.length,
    ...(rest === undefined ? {} : { to: context.pos + rest.length }),
    filter: false,
    options: paths.map((path) => ({
      label: path,
      apply: rest === undefined ? `${path}${quote})` : path,
      type: 'variable',
    })),
  };
}

/** The first place where a text is not JSON; null if it is. Browsers do not always name it. */
export function faultOfJson(text: string): Place | null {
  const end = text.trimEnd().length;
  let fault: Place | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter(node) {
      if (!node.type.isError || fault !== null || end === 0) return;
      const from = Math.min(node.from, end - 1);
      fault = { from, to: Math.max(Math.min(node.to, end), from + 1) };
    },
  });
  return fault;
}
