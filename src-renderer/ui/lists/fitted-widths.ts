import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { type HeadColumn, idOf } from './grid-look.ts';

/** A column whose width follows its content. */
export interface FittedColumn {
  /** A CSS grid track: `90px`, `minmax(120px, 2fr)`, `minmax(64px, 120px)`. */
  track: string;
  /** The width of its widest content and of its header, px. */
  content: number;
  /** The width that a user has chosen, px. */
  chosen?: number | undefined;
}

/** Wider content is cut, unless there is space left. */
const MOST_CONTENT = 400;
/** Enough to find a width in a table of any size exactly. */
const HALVINGS = 40;

/**
 * Grid tracks that follow the content of their columns. If there is enough space, all contents fit, and the columns with
 * `fr` share the rest. Otherwise all columns get what their content needs, but no more than their share: space that one
 * does not need goes to the others. No column becomes narrower than the least width of its track, if its content needs
 * that.
 * @param space for all columns, without the gaps between them, px
 */
export function fittedTracks(columns: readonly FittedColumn[], space: number): string {
  const needs = columns.map(needOf);
  const widthsAt = (level: number) =>
    needs.map(({ floor, want, weight }) => Math.floor(Math.max(floor, Math.min(want, level * weight))));
  const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);
  let fits = 0;
  let tooWide = Math.max(1, ...needs.map(({ want, weight }) => want / weight)) + 1;
  if (sum(widthsAt(tooWide)) <= space) fits = tooWide;
  for (let halving = 0; halving < HALVINGS && fits < tooWide; halving += 1) {
    const level = (fits + tooWide) / 2;
    if (sum(widthsAt(level)) <= space) fits = level;
    else tooWide = level;
  }
  return widthsAt(fits)
    .map((width, place) => {
      const share = needs[place]?.share ?? 0;
      return share > 0 ? `minmax(${width}px, ${share}fr)` : `${width}px`;
    })
    .join(' ');
}

interface Need {
  /** The least width and that of the content, px. */
  floor: number;
  want: number;
  /** The share of scarce space, and of the rest if all contents fit. */
  weight: number;
  share: number;
}

function needOf({ track, content, chosen }: FittedColumn): Need {
  if (chosen !== undefined) return { floor: chosen, want: chosen, weight: 1, share: 0 };
  const [, least = 0, most = 0] = (/^(?:minmax\()?([\d.]+)px(?:, ([\d.]+)px)?/.exec(track) ?? []).map(Number);
  const share = Number(/([\d.]+)fr/.exec(track)?.[1] ?? 0);
  // A drawing has the same width whatever it shows.
  const want = least === most ? least : Math.min(content, MOST_CONTENT);
  return { floor: Math.min(least, want), want, weight: share || 1, share };
}

/** In steps, so that a value that changes all the time does not move the columns each time. */
const STEP = 8;
/** Values change ten times a second; cut ones are looked for this much later, ms. */
const LATER_MS = 250;
const NOTHING: { ids: string; widths: readonly number[] } = { ids: '', widths: [] };

/**
 * The widths of the contents of a table by column, px: of its header and of the rows in the document. They only grow
 * while the table has the same columns, so that scrolling does not move columns back and forth. Empty until the table is
 * shown and has rows.
 */
export function useContents(table: RefObject<HTMLElement | null>, columns: readonly HeadColumn[]): readonly number[] {
  const [{ ids, widths }, setMeasured] = useState(NOTHING);
  const now = columns.map(idOf).join('\n');
  const count = columns.length;
  const isMeasured = ids === now;
  // Before the first rows are painted, so that they are in their final columns.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- rows may arrive in any render; the first measured ones end it
  useLayoutEffect(() => {
    if (isMeasured || !table.current) return;
    const first = contentsOf(table.current, count);
    // oxlint-disable-next-line react/set-state-in-effect -- only the document knows the widths of texts
    if (first.length > 0) setMeasured({ ids: now, widths: first });
  });
  useEffect(() => {
    if (!isMeasured || !table.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const { current: element } = table;
    const grow = () => {
      timer = null;
      setMeasured((before) => {
        if (!isAnyCut(element, before.widths)) return before;
        const next = contentsOf(element, before.widths.length);
        const grown = before.widths.map((width, place) => Math.max(width, next[place] ?? 0));
        return grown.every((width, place) => width === before.widths[place]) ? before : { ...before, widths: grown };
      });
    };
    const observer = new MutationObserver(() => (timer ??= setTimeout(grow, LATER_MS)));
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      if (timer !== null) clearTimeout(timer);
    };
  }, [table, isMeasured]);
  return isMeasured ? widths : NOTHING.widths;
}

function contentsOf(table: HTMLElement, count: number): number[] {
  if (table.clientWidth === 0) return [];
  table.dataset['measured'] = '';
  // Not as drawn: a dialog that opens is smaller at first. One more, because the widths are rounded.
  const rows = cellsOf(table, count).map((cells) => cells.map((cell) => cell.offsetWidth + 1));
  delete table.dataset['measured'];
  if (rows.length < 2) return [];
  return Array.from({ length: count }, (_, place) => {
    const widest = Math.max(...rows.map((widths) => widths[place] ?? 0));
    return Math.ceil(widest / STEP) * STEP;
  });
}

/** Whether content is cut in a column that is as wide as its content was, which costs no layout to find out. */
function isAnyCut(table: HTMLElement, widths: readonly number[]): boolean {
  return cellsOf(table, widths.length).some((cells) =>
    cells.some((cell, place) => {
      const width = widths[place] ?? 0;
      if (width >= MOST_CONTENT || cell.clientWidth < width) return false;
      return [cell, ...cell.querySelectorAll('*')].some(isCut);
    }),
  );
}

/** Texts for screen readers are 1 px wide, and always cut. */
const isCut = ({ clientWidth, scrollWidth }: Element): boolean => clientWidth > 1 && scrollWidth > clientWidth;

/** The cells of the header and of all loaded rows with columns. */
const cellsOf = (table: HTMLElement, count: number): HTMLElement[][] =>
  [...table.querySelectorAll('[role="row"]:not([aria-busy="true"])')]
    .map((row) => [...row.children].filter((cell) => cell instanceof HTMLElement))
    .filter((cells) => cells.length === count);
