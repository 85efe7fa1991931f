import type { Json } from '../text/json.ts';

/** Limits of Diagrams (documented in docs/plant/diagrams.md). Positions and sizes are px. */
export const DIAGRAM_LIMITS = {
  name: 100,
  parts: 500,
  width: 4_000,
  height: 4_000,
  smallest: 16,
  /** Characters of a label or of the text of a part. */
  text: 2_000,
} as const;

/** Parts are placed on multiples of this many px. */
export const DIAGRAM_GRID = 8;

export const PART_KINDS = ['value', 'lamp', 'text', 'image', 'table', 'input', 'button', 'trend', 'gauge'] as const;
export type PartKind = (typeof PART_KINDS)[number];

export interface DiagramPart {
  /** Unique in its Diagram. */
  id: string;
  kind: PartKind;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Its label, or the text of a text part. */
  label: string;
  /** The tag that it shows or writes; '' for none, as for every text and trend. */
  tag: string;
  /** The value that a button writes, or with which a lamp is lit; null for other kinds. */
  value: Json;
  /** Only of a trend. */
  trend?: TrendSettings;
  /** Only of a gauge. */
  gauge?: GaugeSettings;
}

/** What a trend shows: some tags, over the past ms. A type, because it is JSON. */
export type TrendSettings = {
  tags: string[];
  spanMs: number;
};

/** The scale of a gauge in the unit of its tag, and the limits beyond which it warns; null for none. A type, because it is JSON. */
export type GaugeSettings = {
  min: number;
  max: number;
  low: number | null;
  high: number | null;
};

export const TREND_LIMITS = { tags: 8, spanMs: { min: 10_000, max: 3_600_000 } } as const;

/** The times that the workbench offers for a trend. */
export const TREND_SPANS = [60_000, 300_000, 900_000, 1_800_000, 3_600_000] as const;

export const NEW_TREND: TrendSettings = { tags: [], spanMs: 300_000 };
export const NEW_GAUGE: GaugeSettings = { min: 0, max: 100, low: null, high: null };

/** The problem of the scale of a gauge; null if it is valid. */
export function problemOfGauge({ min, max, low, high }: GaugeSettings): string | null {
  if (min >= max) return 'The minimum must be less than the maximum';
  if (low !== null && high !== null && low >= high) return 'The low limit must be less than the high limit';
  return [low, high].some((limit) => limit !== null && (limit < min || limit > max))
    ? 'A limit must be between the minimum and the maximum'
    : null;
}

/** A page of parts that are bound to tags. Its name is the Diagram scope of its reads and writes. */
export interface DiagramText {
  name: string;
  width: number;
  height: number;
  /** Later parts are in front of earlier ones. */
  parts: DiagramPart[];
}

export interface Diagram extends DiagramText {
  id: number;
  /** Counts the saves, from 1. */
  version: number;
  /** RFC 3339 in UTC. */
  savedAt: string;
}

export interface DiagramSummary {
  id: number;
  name: string;
  parts: number;
  version: number;
  savedAt: string;
}

/** Which kinds have one tag; a trend has several. */
export function isBound(kind: PartKind): boolean {
  return kind !== 'text' && kind !== 'trend';
}

/** The tags of a part, each once. */
export function tagsOfPart({ tag, trend }: Pick<DiagramPart, 'tag' | 'trend'>): string[] {
  return [...new Set([tag, ...(trend?.tags ?? [])])].filter((path) => path !== '');
}

/** Why the settings of a part don't fit its kind; null if they do. */
export function problemOfPart({ kind, trend, gauge }: Pick<DiagramPart, 'kind' | 'trend' | 'gauge'>): string | null {
  if (kind === 'trend' && !trend) return 'A trend needs "trend", such as { "tags": [], "spanMs": 300000 }';
  if (kind === 'gauge' && !gauge)
    return 'A gauge needs "gauge", such as { "min": 0, "max": 100, "low": null, "high": null }';
  if (kind !== 'trend' && trend) return 'Only a trend has "trend": remove it, or change the kind';
  if (kind !== 'gauge' && gauge) return 'Only a gauge has "gauge": remove it, or change the kind';
  return gauge ? problemOfGauge(gauge) : null;
}

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The problem of the name of a Diagram, or null if it is valid. */
export function problemOfDiagramName(name: string): string | null {
  if (name.trim() === '') return 'Name is required: it is the Diagram scope of the tags of the Diagram';
  if (name !== name.trim()) return 'Name cannot begin or end with a space';
  if (name.length > DIAGRAM_LIMITS.name) {
    return `Name has at most ${DIAGRAM_LIMITS.name} characters, but this one has ${name.length}`;
  }
  if (CONTROL_CHARACTERS.test(name)) return 'Name cannot contain control characters or line breaks';
  if (name === '.' || name === '..' || !name.isWellFormed())
    return 'This name cannot be used in an address: choose another';
  if (/[/\\]/.test(name)) return 'Name cannot contain "/" or "\\": it is part of the address of the Diagram';
  return null;
}

/** The address of a Diagram for a location; '' for the default location. */
export function diagramAddress(name: string, workcenter: string): string {
  const query = workcenter === '' ? '' : `?${new URLSearchParams({ workcenter }).toString()}`;
  return `/diagrams/${encodeURIComponent(name)}${query}`;
}

/** The Diagram of an address; null if it is not one. */
export function parseDiagramAddress(pathname: string, search: string): { name: string; workcenter: string } | null {
  const encoded = /^\/diagrams\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (encoded === undefined) return null;
  try {
    return { name: decodeURIComponent(encoded), workcenter: new URLSearchParams(search).get('workcenter') ?? '' };
  } catch {
    return null;
  }
}
