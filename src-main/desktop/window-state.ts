import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { screen } from 'electron';
import { z } from 'zod';

const state = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean(),
});
export type SavedWindow = z.infer<typeof state>;

export const FIRST_SIZE = { width: 1440, height: 900 } as const;
export const SMALLEST = { width: 800, height: 500 } as const;
/** Minimum part of a window on a screen, so that its title bar can be dragged. */
const GRIP = { width: 120, height: 40 } as const;
const KEEP_AFTER_MS = 500;

/** The position of a window when it was last closed; null if unknown. */
export function readWindowState(file: string): SavedWindow | null {
  try {
    return state.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * The position of a new window: the stored one, if it is on an existing screen; else the middle of the main screen (no
 * `x` and `y`), never larger than the screen. All in px of the desktop; `screens` are the work areas, the main one
 * first.
 */
export function placeOf(kept: SavedWindow | null, screens: readonly Rectangle[]): Partial<Rectangle> {
  const size = { width: kept?.width ?? FIRST_SIZE.width, height: kept?.height ?? FIRST_SIZE.height };
  const home = kept && screens.find((area) => isHeldBy(kept, area));
  const area = home ?? screens[0];
  const fitting = area ? { width: Math.min(size.width, area.width), height: Math.min(size.height, area.height) } : size;
  const width = Math.max(fitting.width, SMALLEST.width);
  const height = Math.max(fitting.height, SMALLEST.height);
  return kept && home ? { x: kept.x, y: Math.max(kept.y, home.y), width, height } : { width, height };
}

/** The work areas of the screens, that of the main one first. */
export function workAreas(): Rectangle[] {
  const main = screen.getPrimaryDisplay();
  return [main, ...screen.getAllDisplays().filter(({ id }) => id !== main.id)].map(({ workArea }) => workArea);
}

/** Stores the position of the window in `file`, soon after every change and when it is closed. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const keep = () => {
    clearTimeout(timer);
    const now: SavedWindow = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      // Errors are ignored: the position of a window is not worth stopping for.
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, JSON.stringify(now));
      renameSync(`${file}.new`, file);
    } catch {}
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, KEEP_AFTER_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', keep);
}

function isHeldBy(place: Rectangle, area: Rectangle): boolean {
  const seen = (from: number, size: number, low: number, room: number) =>
    Math.min(from + size, low + room) - Math.max(from, low);
  const bar = place.y >= area.y - GRIP.height && place.y + GRIP.height <= area.y + area.height;
  return bar && seen(place.x, place.width, area.x, area.width) >= GRIP.width;
}
