/** Which keys a shortcut names: `Ctrl+Shift+F5`, `Alt+N`, `F2`. Cmd counts as Ctrl. */
export type Keys = string;

interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/**
 * Names a key press the way shortcuts are written. Letters and digits are taken from the physical key where Alt or
 * Shift would change the character that the layout gives.
 */
export function keysOf(event: KeyPress): Keys {
  const physical = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1];
  const plain = event.key.length === 1 && (event.altKey || event.shiftKey) && physical ? physical : event.key;
  const name = plain.length === 1 ? plain.toUpperCase() : plain;
  return [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
    name === ' ' ? 'Space' : name,
  ]
    .filter((part) => part !== '')
    .join('+');
}

const MAC_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** How the shortcut is shown to people on this system. */
export function shownKeys(keys: Keys, mac = isMac()): string {
  if (!mac) return keys;
  return keys
    .split('+')
    .map((part) => MAC_SIGNS[part] ?? part)
    .join('');
}

/** The shortcut as `aria-keyshortcuts` wants it. */
export function ariaKeys(keys: Keys): string {
  return keys.replace('Ctrl', 'Control');
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);
}
