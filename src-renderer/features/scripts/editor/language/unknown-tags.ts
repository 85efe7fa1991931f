import type { Client } from '../../../../client/client.ts';
import { monaco } from '../monaco.ts';
import { literalsOf } from './tag-literals.ts';
import type { InvalidLiteral, TagLiteral } from './tag-literals.ts';

const OWNER = 'tags';
/** Parsing a longer text would delay typing. Characters. */
const MOST_CHARACTERS = 300_000;
const MOST_PATHS = 10_000;

export interface UnknownTag extends TagLiteral {
  /** Suggestions, nearest first. */
  nearest: readonly string[];
}

/** Underlines unknown paths, and texts that an API call rejects, in one text. A text that does not parse keeps its marks until it does again. */
export class UnknownTags {
  readonly #tags: Pick<Client['tags'], 'check'>;
  readonly #model: monaco.editor.ITextModel;
  #request: AbortController | null = null;
  /** The results for the paths in the text of the last request to main. */
  #known = { paths: '', nearest: new Map<string, readonly string[]>() };
  #marked: { version: number; unknown: readonly UnknownTag[] } = { version: -1, unknown: [] };

  constructor(tags: Pick<Client['tags'], 'check'>, model: monaco.editor.ITextModel) {
    this.#tags = tags;
    this.#model = model;
  }

  /** The marks in a range; none while the text is newer than the marks. */
  at(range: monaco.IRange): readonly UnknownTag[] {
    if (this.#model.getVersionId() !== this.#marked.version) return [];
    return this.#marked.unknown.filter((one) =>
      monaco.Range.areIntersectingOrTouching(rangeOf(this.#model, one), range),
    );
  }

  /** Tags were created, renamed or deleted: the next check requests the results again. */
  tagsChanged(): void {
    this.#known = { paths: '', nearest: new Map() };
  }

  dispose(): void {
    this.#request?.abort();
    if (!this.#model.isDisposed()) monaco.editor.setModelMarkers(this.#model, OWNER, []);
  }

  async check(): Promise<void> {
    const model = this.#model;
    this.#request?.abort();
    if (model.isDisposed()) return;
    if (model.getValueLength() > MOST_CHARACTERS) return this.#mark([], []);
    const version = model.getVersionId();
    const literals = literalsOf(model.getValue());
    if (!literals) return;
    const paths = [...new Set(literals.paths.map(({ path }) => path))].slice(0, MOST_PATHS);
    const requested = JSON.stringify(paths);
    if (requested !== this.#known.paths) {
      const request = new AbortController();
      this.#request = request;
      try {
        const { unknown } = await this.#tags.check({ paths }, { signal: request.signal });
        this.#known = { paths: requested, nearest: new Map(unknown.map(({ path, nearest }) => [path, nearest])) };
      } catch {
        // No message needed: the next key and the next change of tags retry.
        return;
      }
      if (request.signal.aborted || model.isDisposed() || model.getVersionId() !== version) return;
    }
    const unknown = literals.paths.flatMap((literal) => {
      const nearest = this.#known.nearest.get(literal.path);
      return nearest ? [{ ...literal, nearest }] : [];
    });
    this.#mark(unknown, literals.invalid);
  }

  #mark(unknown: readonly UnknownTag[], invalid: readonly InvalidLiteral[]): void {
    this.#marked = { version: this.#model.getVersionId(), unknown };
    monaco.editor.setModelMarkers(this.#model, OWNER, [
      ...unknown.map((one) => markerOf(this.#model, one)),
      ...invalid.map((one) => warningAt(this.#model, one, one.problem)),
    ]);
  }
}

/** The range of a literal, without its quotes. */
export function rangeOf(
  model: monaco.editor.ITextModel,
  { start, end }: Pick<TagLiteral, 'start' | 'end'>,
): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}

export function markerOf(model: monaco.editor.ITextModel, tag: UnknownTag): monaco.editor.IMarkerData {
  const [nearest] = tag.nearest;
  const suggestion = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
  return warningAt(model, tag, `No tag has the path "${tag.path}"${suggestion}`);
}

function warningAt(
  model: monaco.editor.ITextModel,
  literal: Pick<TagLiteral, 'start' | 'end'>,
  message: string,
): monaco.editor.IMarkerData {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = rangeOf(model, literal);
  return {
    severity: monaco.MarkerSeverity.Warning,
    message,
    source: 'tags',
    startLineNumber,
    startColumn,
    endLineNumber,
    endColumn,
  };
}
