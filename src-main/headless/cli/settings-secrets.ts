import type { Settings } from '#domain/settings';

/** Holds a space, so that the setting refuses it: what was printed cannot be set by mistake. */
const HIDDEN = '(set, hidden)';

/** The settings as they may be seen on a screen or in a log: without the key of the events API and the proxy's password. */
export function withoutSecrets(settings: Settings): Settings {
  const { 'events.apiKey': key, 'api.proxy': proxy } = settings;
  return { ...settings, 'events.apiKey': key === '' ? '' : HIDDEN, 'api.proxy': withoutPassword(proxy) };
}

function withoutPassword(proxy: string): string {
  const url = URL.parse(proxy);
  if (url === null || url.password === '') return proxy;
  url.password = '***';
  return url.href;
}
