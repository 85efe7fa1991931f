/** The keys of a shortcut: `Ctrl+Shift+F5`, `Alt+N`, `F2`. Cmd counts as Ctrl. */
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
 * The name of a key press in the notation of shortcuts. Letters and digits are those of the physical key if Alt or
 * Shift would change the character. With Alt, the keypad types the code of a character: its keys keep their own names.
 */
export function keysOf(event: KeyPress): Keys {
  const isCode = event.altKey && event.code.startsWith('Numpad');
  const physical = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1];
  const plain = event.key.length === 1 && (event.altKey || event.shiftKey) && physical ? physical : event.key;
  const name = isCode ? event.code : plain.length === 1 ? plain.toUpperCase() : plain;
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

/** The display form of a shortcut on this system. */
export function shownKeys(keys: Keys, mac = isMac()): string {
  if (!mac) return keys;
  return keys
    .split('+')
    .map((part) => MAC_SIGNS[part] ?? part)
    .join('');
}

/** The shortcut in the format of `aria-keyshortcuts`. */
export function ariaKeys(keys: Keys): string {
  return keys.replace('Ctrl', 'Control');
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);
}
