import type { Settings } from './settings.ts';

/** What `events.apiKey` shows where a key is set: the key itself is stored as a hash. No key is that short. */
export const KEY_IS_SET = '(set)';

/** Stands in for a secret of the workspace, and is none itself. */
const PLACEHOLDERS = /\{\{\s*secret:[^{}]*\}\}/gi;
const CREDENTIALS = /^(https?:\/\/[^:]*):(.*)@([^@]*)$/i;

/** Settings in whose value a secret may be written, each with what of a value is none. */
const PUBLIC_PARTS = {
  'api.proxy': withoutPassword,
  'updates.feed': withoutCredentials,
} as const satisfies Partial<Record<keyof Settings, (value: string) => string>>;

export type PrivateSetting = keyof typeof PUBLIC_PARTS;
export const PRIVATE_SETTINGS = ['api.proxy', 'updates.feed'] as const satisfies PrivateSetting[];

/** The value of a setting without the secret in it; the same text where it holds none. */
export function publicPart(key: PrivateSetting, value: string): string {
  return PUBLIC_PARTS[key](value);
}

/** A URL without its password; one that is made of `{{secret:NAME}}` alone is no secret, and stays. */
function withoutPassword(url: string): string {
  const [, before, password = '', host] = CREDENTIALS.exec(url) ?? [];
  if (before === undefined || host === undefined || password.replaceAll(PLACEHOLDERS, '') === '') return url;
  return `${before}@${host}`;
}

/** An address without a password and without its query, in which a token may be. */
function withoutCredentials(url: string): string {
  return withoutPassword(url.replace(/[?#].*$/s, ''));
}
