import type { Json } from '../text/json.ts';
import { inheritanceOf, isDefaultScope, type Scope, type ScopedValue, scopeName } from '../tag/scope.ts';
import type { ReadEntry, RunContext, RunStatus, WriteEntry } from './run.ts';

/** The thing to show in each scope: a dry run of a body, a tag, or the tags of a Diagram. */
export type LensSubject =
  | { body: string; context: Pick<RunContext, 'tagName' | 'tagValue'> }
  | { tag: string }
  | { diagram: string };

/** Where the value of a read comes from: a stored value, the initial value of the tag, or a write of the same run. */
export type ValueOrigin = ({ from: 'stored' } & Scope) | { from: 'initial' } | { from: 'run' };

/** A read, with the scope that the call had. Values are texts, for people. */
export interface LensRead extends Scope {
  path: string;
  value: string;
  quality: string;
  /** Null for tags that are not storage tags. */
  origin: ValueOrigin | null;
  /** Stored values that the used one hides, nearest first. */
  shadows: (Scope & { value: string })[];
  line: number | null;
}

export interface LensWrite extends Scope {
  path: string;
  value: string;
  line: number | null;
}

/** One scope of the grid. */
export interface LensCell extends Scope {
  /** How the run ended; `ok` where nothing runs. */
  status: RunStatus;
  /** The result of the run, or the value of the tag; null for a Diagram. */
  result: string | null;
  error: string | null;
  reads: LensRead[];
  writes: LensWrite[];
  /** Reads and writes that are not listed. */
  more: number;
}

/** A read and a write whose scopes do not fit. */
export interface ScopeWarning {
  text: string;
  /** The lines of the read and of the write. */
  lines: [number | null, number | null];
}

/** A subject in all scopes: the cells of a Diagram follow each other, in the order of the locations. */
export interface ScopeGrid {
  /** `''` is the default. */
  diagrams: string[];
  locations: string[];
  cells: LensCell[];
  warnings: ScopeWarning[];
  /** Locations that are not shown because there are too many scopes. */
  dropped: number;
}

export const LENS_LIMITS = {
  /** A run takes 5 to 20 ms: 200 take 1 to 4 s. */
  cells: 200,
  /** Reads, and writes, of a cell. */
  acts: 100,
  /** Characters of a value. */
  text: 300,
} as const;

/** The stored value that a read in a scope uses, and the values that it hides; the initial value if there is none. */
export function originOf(
  scope: Scope,
  stored: readonly ScopedValue[],
): { origin: ValueOrigin; shadows: ScopedValue[] } {
  const found = inheritanceOf(scope).flatMap((one) => stored.find((value) => isSame(value, one)) ?? []);
  const [used, ...shadows] = found;
  if (!used) return { origin: { from: 'initial' }, shadows: [] };
  return { origin: { from: 'stored', diagram: used.diagram, location: used.location }, shadows };
}

/** Whether a write is what a later read in a scope returns, or hides the stored value that it would return. */
export function isReadFrom(write: Scope, read: Scope, origin: ValueOrigin): boolean {
  const chain = inheritanceOf(read);
  const at = chain.findIndex((one) => isSame(one, write));
  if (at < 0) return false;
  return origin.from !== 'stored' || at <= chain.findIndex((one) => isSame(one, origin));
}

const isSame = (a: Scope, b: Scope): boolean => a.diagram === b.diagram && a.location === b.location;

type ScopedAct = Pick<ReadEntry | WriteEntry, 'path' | 'line' | 'diagram' | 'location'>;

/** Warns of a script that reads with its scope and writes without it, or the reverse: first for the same tag. */
export function scopeWarnings(
  reads: readonly ScopedAct[],
  writes: readonly ScopedAct[],
  isScoped: (path: string) => boolean,
): ScopeWarning[] {
  const [read, written] = [reads, writes].map((acts) => acts.filter(({ path }) => isScoped(path)));
  if (!read || !written) return [];
  const found: ScopeWarning[] = [];
  for (const path of new Set(written.map((write) => write.path))) {
    const own = mismatch(
      read.filter((one) => one.path === path),
      written.filter((one) => one.path === path),
    );
    if (own) found.push(own);
  }
  if (found.length > 0) return found;
  const other = mismatch(read, written);
  return other ? [other] : [];
}

/** All reads have a scope and no write, or the reverse. */
function mismatch(reads: readonly ScopedAct[], writes: readonly ScopedAct[]): ScopeWarning | null {
  const [read, write] = [reads[0], writes[0]];
  if (!read || !write) return null;
  const isRead = !isDefaultScope(read);
  if (isRead !== isDefaultScope(write)) return null;
  if (reads.some((one) => isDefaultScope(one) === isRead) || writes.some((one) => isDefaultScope(one) !== isRead))
    return null;
  const lines: [number | null, number | null] = [read.line, write.line];
  const what = read.path === write.path ? 'it' : write.path;
  const text = isRead
    ? `Reads ${read.path} with its scope${lineText(lines[0])}, and writes ${what} without it${lineText(lines[1])}: all Diagrams and locations get the value`
    : `Reads ${read.path} without its scope${lineText(lines[0])}, and writes ${what} with it${lineText(lines[1])}: only its own Diagram and location get the value`;
  return { text, lines };
}

const lineText = (line: number | null): string => (line === null ? '' : ` (line ${line})`);

/** What a read used, and what that hides. */
export function originText({ origin, shadows }: Pick<LensRead, 'origin' | 'shadows'>): string {
  if (origin === null) return '';
  const used =
    origin.from === 'stored'
      ? `stored for ${scopeName(origin)}`
      : origin.from === 'initial'
        ? 'initial value'
        : 'written by this run';
  if (shadows.length === 0) return used;
  return `${used}, shadows ${shadows.map((one) => `${one.value} of ${scopeName(one)}`).join(', ')}`;
}

/** A value as text. */
export const lensText = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > LENS_LIMITS.text ? `${text.slice(0, LENS_LIMITS.text - 1)}…` : text;
};
