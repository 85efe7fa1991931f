import type { Json } from '../text/json.ts';

/** Limits of Diagrams (documented in docs/diagrams.md). Positions and sizes are px. */
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

export const PART_KINDS = ['value', 'lamp', 'text', 'image', 'table', 'input', 'button'] as const;
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
  /** The tag that it shows or writes; '' for none, as for every text. */
  tag: string;
  /** The value that a button writes, or with which a lamp is lit; null for other kinds. */
  value: Json;
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

/** Which kinds are bound to a tag. */
export function isBound(kind: PartKind): boolean {
  return kind !== 'text';
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
