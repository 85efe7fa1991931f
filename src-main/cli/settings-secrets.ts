import { KEY_IS_SET, PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';

/** The settings as they may be seen on a screen or in a log: without the key, the proxy's password and tokens in addresses. */
export function withoutSecrets(settings: Settings): Settings {
  const shown = { ...settings, 'events.apiKey': settings['events.apiKey'] === '' ? '' : KEY_IS_SET };
  for (const key of PRIVATE_SETTINGS) {
    const open = publicPart(key, shown[key]);
    if (open === shown[key]) continue;
    const masked = open.replace('@', ':***@');
    // What was left out of an address without a password is its query.
    shown[key] = masked === open ? `${open}?***` : masked;
  }
  return shown;
}
