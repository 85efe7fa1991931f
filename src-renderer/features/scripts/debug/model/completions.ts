import type { RunDebugger } from './debugger.ts';

const MOST = 200;

/** A text of the console's field after taking a suggestion. */
export interface Completion {
  label: string;
  /** `variable`, `property`, `function`. */
  kind: string;
  text: string;
  /** The position of the cursor in the text. */
  caret: number;
}

/** Suggestions for the text before the cursor, of the selected frame; none if they can't be read. */
export async function completionsOf(session: RunDebugger, text: string, caret: number): Promise<Completion[]> {
  const { frame } = session.store.get();
  const word = /[\p{L}\p{N}_$]*$/u.exec(text.slice(0, caret))?.[0] ?? '';
  if (frame === null || (word === '' && text[caret - 1] !== '.')) return [];
  try {
    const { targets } = await session.ask('completions', { frameId: frame, text, column: caret + 1 });
    const wanted = word.toLowerCase();
    return targets
      .filter(({ label }) => label.toLowerCase().startsWith(wanted) && label !== word)
      .slice(0, MOST)
      .map(({ label, text: inserted = label, type = '' }) => {
        const lead = text.slice(0, caret - word.length);
        return {
          label,
          kind: type,
          text: `${lead}${inserted}${text.slice(caret)}`,
          caret: lead.length + inserted.length,
        };
      });
  } catch {
    return [];
  }
}
