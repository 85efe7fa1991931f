import type { DiagramPart, DiagramText, PartKind } from '#domain/tag/diagram';
import { DIAGRAM_GRID, DIAGRAM_LIMITS, NEW_GAUGE, NEW_TREND } from '#domain/tag/diagram';

/** The edits of a page: pure functions that keep every part on the grid and inside the page. */

const SIZES: Readonly<Record<PartKind, { width: number; height: number }>> = {
  value: { width: 232, height: 72 },
  lamp: { width: 232, height: 40 },
  text: { width: 232, height: 32 },
  image: { width: 320, height: 240 },
  table: { width: 480, height: 200 },
  input: { width: 232, height: 72 },
  button: { width: 160, height: 40 },
  trend: { width: 480, height: 200 },
  gauge: { width: 200, height: 160 },
};

const LABELS: Readonly<Record<PartKind, string>> = {
  value: '',
  lamp: '',
  text: 'Text',
  image: '',
  table: '',
  input: '',
  button: 'Write',
  trend: '',
  gauge: '',
};

/** A new part of a kind, at the first free place from the top left, else in the corner. */
export function addPart(page: DiagramText, kind: PartKind, id: string): DiagramText {
  const { width, height } = SIZES[kind];
  const size = { width: Math.min(width, page.width), height: Math.min(height, page.height) };
  const value = kind === 'lamp' ? true : null;
  const part: DiagramPart = {
    id,
    kind,
    ...freePlace(page, size),
    ...size,
    label: LABELS[kind],
    tag: '',
    value,
    ...(kind === 'trend' && { trend: NEW_TREND }),
    ...(kind === 'gauge' && { gauge: NEW_GAUGE }),
  };
  return { ...page, parts: [...page.parts, part] };
}

function freePlace(page: DiagramText, size: { width: number; height: number }): { x: number; y: number } {
  const step = DIAGRAM_GRID * 2;
  for (let y = step; y + size.height <= page.height; y += step) {
    for (let x = step; x + size.width <= page.width; x += step) {
      const covers = page.parts.some(
        (part) =>
          x < part.x + part.width && part.x < x + size.width && y < part.y + part.height && part.y < y + size.height,
      );
      if (!covers) return { x, y };
    }
  }
  return { x: 0, y: 0 };
}

/** Moves the parts together; the group stops when the first of them reaches the edge. */
export function moveParts(page: DiagramText, ids: ReadonlySet<string>, dx: number, dy: number): DiagramText {
  const moved = page.parts.filter(({ id }) => ids.has(id));
  const left = Math.min(...moved.map(({ x }) => x));
  const top = Math.min(...moved.map(({ y }) => y));
  const right = Math.max(...moved.map(({ x, width }) => x + width));
  const bottom = Math.max(...moved.map(({ y, height }) => y + height));
  const x = clamp(snap(dx), -left, down(page.width - right));
  const y = clamp(snap(dy), -top, down(page.height - bottom));
  if (moved.length === 0 || (x === 0 && y === 0)) return page;
  return withParts(page, ids, (part) => ({ ...part, x: part.x + x, y: part.y + y }));
}

/** Makes the parts wider and higher by this many px, limited by the grid and the edge of the page. */
export function resizeParts(page: DiagramText, ids: ReadonlySet<string>, dx: number, dy: number): DiagramText {
  return withParts(page, ids, (part) => {
    const width = clamp(snap(part.width + dx), DIAGRAM_LIMITS.smallest, down(page.width - part.x));
    const height = clamp(snap(part.height + dy), DIAGRAM_LIMITS.smallest, down(page.height - part.y));
    return { ...part, width, height };
  });
}

export function changePart(page: DiagramText, id: string, change: Partial<DiagramPart>): DiagramText {
  return withParts(page, new Set([id]), (part) => ({ ...part, ...change }));
}

export function removeParts(page: DiagramText, ids: ReadonlySet<string>): DiagramText {
  return { ...page, parts: page.parts.filter(({ id }) => !ids.has(id)) };
}

/** Copies of the parts, moved a little down and right if there is space. `newId` is called once for each. */
export function duplicateParts(
  page: DiagramText,
  ids: ReadonlySet<string>,
  newId: () => string,
): { page: DiagramText; copies: ReadonlySet<string> } {
  const copies = page.parts.filter(({ id }) => ids.has(id)).map((part) => ({ ...part, id: newId() }));
  const names = new Set(copies.map(({ id }) => id));
  const step = DIAGRAM_GRID * 2;
  return { page: moveParts({ ...page, parts: [...page.parts, ...copies] }, names, step, step), copies: names };
}

/** Pastes parts of this or another page, at their position if they fit, and next to existing parts. */
export function pasteParts(
  page: DiagramText,
  parts: readonly DiagramPart[],
  newId: () => string,
): { page: DiagramText; copies: ReadonlySet<string> } {
  const fitted = parts.slice(0, DIAGRAM_LIMITS.parts - page.parts.length).map((part): DiagramPart => {
    const width = Math.min(part.width, page.width);
    const height = Math.min(part.height, page.height);
    const [x, y] = [clamp(part.x, 0, page.width - width), clamp(part.y, 0, page.height - height)];
    return { ...part, id: newId(), width, height, x, y };
  });
  const copies = new Set(fitted.map(({ id }) => id));
  if (copies.size === 0) return { page, copies };
  const step = DIAGRAM_GRID * 2;
  let next = { ...page, parts: [...page.parts, ...fitted] };
  const covers = () =>
    next.parts.some(
      (one) => copies.has(one.id) && next.parts.some(({ id, x, y }) => !copies.has(id) && x === one.x && y === one.y),
    );
  while (covers()) {
    const moved = moveParts(next, copies, step, step);
    if (moved === next) break;
    next = moved;
  }
  return { page: next, copies };
}

/** Moves the parts in front of, or behind, all others. */
export function stackParts(page: DiagramText, ids: ReadonlySet<string>, where: 'front' | 'back'): DiagramText {
  const chosen = page.parts.filter(({ id }) => ids.has(id));
  const others = page.parts.filter(({ id }) => !ids.has(id));
  const parts = where === 'front' ? [...others, ...chosen] : [...chosen, ...others];
  return parts.every((part, index) => part === page.parts[index]) ? page : { ...page, parts };
}

/** The parts that another one in front of them covers by at least half. */
export function coveredParts({ parts }: DiagramText): DiagramPart[] {
  return parts.filter((part, index) =>
    parts.slice(index + 1).some((front) => {
      const width = Math.min(part.x + part.width, front.x + front.width) - Math.max(part.x, front.x);
      const height = Math.min(part.y + part.height, front.y + front.height) - Math.max(part.y, front.y);
      return width > 0 && height > 0 && width * height * 2 >= part.width * part.height;
    }),
  );
}

/** The part under a point that is next behind the selected one, or else the first one; null if none is there. */
export function nextPartAt(page: DiagramText, selected: ReadonlySet<string>, x: number, y: number): string | null {
  const ids = page.parts
    .filter((part) => x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height)
    .map(({ id }) => id)
    .toReversed();
  const now = ids.findIndex((id) => selected.has(id));
  return ids[(now + 1) % ids.length] ?? null;
}

/** The page with another size; never smaller than its parts need. */
export function resizePage(page: DiagramText, width: number, height: number): DiagramText {
  const right = Math.max(100, ...page.parts.map((part) => part.x + part.width));
  const bottom = Math.max(100, ...page.parts.map((part) => part.y + part.height));
  return {
    ...page,
    width: clamp(Math.round(width), right, DIAGRAM_LIMITS.width),
    height: clamp(Math.round(height), bottom, DIAGRAM_LIMITS.height),
  };
}

function withParts(page: DiagramText, ids: ReadonlySet<string>, change: (part: DiagramPart) => DiagramPart) {
  return { ...page, parts: page.parts.map((part) => (ids.has(part.id) ? change(part) : part)) };
}

function snap(px: number): number {
  return Math.round(px / DIAGRAM_GRID) * DIAGRAM_GRID;
}

/** The last grid line within the limit. */
function down(px: number): number {
  return Math.floor(px / DIAGRAM_GRID) * DIAGRAM_GRID;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
