import { PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';

/** The settings as they go into a folder, and the names of those whose secret was left out of it. */
export interface ExportedSettings {
  readonly settings: Omit<Settings, 'events.apiKey'>;
  readonly leftOut: readonly (keyof Settings)[];
}

/** The settings without the key of the events API and without secrets that are written out in URLs. */
export function exportedSettings(all: Settings): ExportedSettings {
  const { 'events.apiKey': key, ...settings } = all;
  const leftOut: (keyof Settings)[] = key === '' ? [] : ['events.apiKey'];
  for (const name of PRIVATE_SETTINGS) {
    settings[name] = publicPart(name, all[name]);
    if (settings[name] !== all[name]) leftOut.push(name);
  }
  return { settings, leftOut };
}
