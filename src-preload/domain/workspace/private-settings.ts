import type { Settings } from './settings.ts';

/** The value of `events.apiKey` if a key is set: the key itself is stored as a hash. No key is that short. */
export const KEY_IS_SET = '(set)';

/** The placeholder of a secret of the workspace, which is not secret itself. */
const PLACEHOLDERS = /\{\{\s*secret:[^{}]*\}\}/gi;
const CREDENTIALS = /^((?:https?|postgres(?:ql)?):\/\/[^:]*):(.*)@([^@]*)$/i;

/** Settings whose value can contain a secret, each with a function that removes it. */
const PUBLIC_PARTS = {
  'api.proxy': withoutPassword,
  'updates.feed': withoutCredentials,
  'hub.url': withoutCredentials,
} as const satisfies Partial<Record<keyof Settings, (value: string) => string>>;

export type PrivateSetting = keyof typeof PUBLIC_PARTS;
export const PRIVATE_SETTINGS = ['api.proxy', 'updates.feed', 'hub.url'] as const satisfies PrivateSetting[];

/** The value of a setting without its secret; the same text if it has none. */
export function publicPart(key: PrivateSetting, value: string): string {
  return PUBLIC_PARTS[key](value);
}

/** The secrets in settings: addresses with a password or a query that is secret, and the passwords alone. */
export function secretsInSettings(settings: Pick<Settings, PrivateSetting>): string[] {
  return PRIVATE_SETTINGS.flatMap((key) => {
    const value = settings[key];
    if (publicPart(key, value) === value) return [];
    const password = CREDENTIALS.exec(value)?.[2]?.replaceAll(PLACEHOLDERS, '') ?? '';
    return password === '' ? [value] : [value, password, percentDecoded(password)];
  });
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A URL without its password; a password of the form `{{secret:NAME}}` is not secret, and stays. */
function withoutPassword(url: string): string {
  const [, before, password = '', host] = CREDENTIALS.exec(url) ?? [];
  if (before === undefined || host === undefined || password.replaceAll(PLACEHOLDERS, '') === '') return url;
  return `${before}@${host}`;
}

/** An address without a password and without its query, which can contain a token. */
function withoutCredentials(url: string): string {
  return withoutPassword(url.replace(/[?#].*$/s, ''));
}
