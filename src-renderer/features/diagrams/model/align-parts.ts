import type { DiagramPart, DiagramText } from '#domain/tag/diagram';

export const ALIGNMENTS = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];
export const AXES = ['horizontal', 'vertical'] as const;
export type Axis = (typeof AXES)[number];

/** Moves the selected parts to a common edge or center line of the area that they cover. */
export function alignParts(page: DiagramText, ids: ReadonlySet<string>, alignment: Alignment): DiagramText {
  const chosen = page.parts.filter(({ id }) => ids.has(id));
  if (chosen.length < 2) return page;
  const left = Math.min(...chosen.map(({ x }) => x));
  const right = Math.max(...chosen.map(({ x, width }) => x + width));
  const top = Math.min(...chosen.map(({ y }) => y));
  const bottom = Math.max(...chosen.map(({ y, height }) => y + height));
  const place: Readonly<Record<Alignment, (part: DiagramPart) => Partial<DiagramPart>>> = {
    left: () => ({ x: left }),
    center: ({ width }) => ({ x: Math.round((left + right - width) / 2) }),
    right: ({ width }) => ({ x: right - width }),
    top: () => ({ y: top }),
    middle: ({ height }) => ({ y: Math.round((top + bottom - height) / 2) }),
    bottom: ({ height }) => ({ y: bottom - height }),
  };
  return placed(page, new Map(chosen.map((part) => [part.id, place[alignment](part)])));
}

/** Moves the selected parts between the outer two, so that the gaps between them are equal. */
export function distributeParts(page: DiagramText, ids: ReadonlySet<string>, axis: Axis): DiagramText {
  const [start, size] = axis === 'horizontal' ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const chosen = page.parts
    .filter(({ id }) => ids.has(id))
    .toSorted((a, b) => a[start] + a[size] / 2 - (b[start] + b[size] / 2));
  if (chosen.length < 3) return page;
  const from = Math.min(...chosen.map((part) => part[start]));
  const to = Math.max(...chosen.map((part) => part[start] + part[size]));
  const gap = (to - from - chosen.reduce((sum, part) => sum + part[size], 0)) / (chosen.length - 1);
  let next = from;
  const places = new Map<string, Partial<DiagramPart>>();
  for (const part of chosen) {
    const limit = (axis === 'horizontal' ? page.width : page.height) - part[size];
    places.set(part.id, { [start]: Math.min(limit, Math.max(0, Math.round(next))) });
    next += part[size] + gap;
  }
  return placed(page, places);
}

/** The same page if nothing moves. */
function placed(page: DiagramText, places: ReadonlyMap<string, Partial<DiagramPart>>): DiagramText {
  const parts = page.parts.map((part) => {
    const place = { ...part, ...places.get(part.id) };
    return place.x === part.x && place.y === part.y ? part : place;
  });
  return parts.every((part, index) => part === page.parts[index]) ? page : { ...page, parts };
}
