import type { Settings } from '#domain/settings';

/** Stands in for a secret of the workspace, which an export does not hold anyway. */
const PLACEHOLDERS = /\{\{\s*secret:[^{}]*\}\}/gi;
const CREDENTIALS = /^(https?:\/\/[^:]*):(.*)@([^@]*)$/i;

/** The settings as they go into a folder, and the names of those whose secret was left out of it. */
export interface ExportedSettings {
  readonly settings: Omit<Settings, 'events.apiKey'>;
  readonly leftOut: readonly (keyof Settings)[];
}

/** The settings without the key of the events API and without a password that is written out in the proxy's URL. */
export function exportedSettings(all: Settings): ExportedSettings {
  const { 'events.apiKey': key, ...settings } = all;
  const proxy = withoutPlainPassword(settings['api.proxy']);
  const leftOut: (keyof Settings)[] = [];
  if (key !== '') leftOut.push('events.apiKey');
  if (proxy !== settings['api.proxy']) leftOut.push('api.proxy');
  return { settings: { ...settings, 'api.proxy': proxy }, leftOut };
}

/** The URL without its password; one that is made of `{{secret:NAME}}` alone is no secret, and stays. */
export function withoutPlainPassword(proxy: string): string {
  const [, before, password = '', host] = CREDENTIALS.exec(proxy) ?? [];
  if (before === undefined || host === undefined || password.replaceAll(PLACEHOLDERS, '') === '') return proxy;
  return `${before}@${host}`;
}
