import type { Keys } from '../../frame/palette/keys.ts';

interface ZoomKeys {
  /** A step, or 0 for the width of the window. */
  by: -1 | 0 | 1;
  name: string;
  title: string;
  /** The first ones are shown. */
  keys: readonly [Keys, ...Keys[]];
}

/** The keys that zoom a Diagram. */
export const ZOOM_KEYS: readonly ZoomKeys[] = [
  // With Shift, on the keypad and on other keyboards, the same key is "+".
  { by: 1, name: 'in', title: 'Zoom in the Diagram', keys: ['Ctrl+=', 'Ctrl++', 'Ctrl+Shift++'] },
  { by: -1, name: 'out', title: 'Zoom out the Diagram', keys: ['Ctrl+-', 'Ctrl+Shift+_'] },
  { by: 0, name: 'fit', title: 'Fit the Diagram to the width', keys: ['Ctrl+0'] },
];
