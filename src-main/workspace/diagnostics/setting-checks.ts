import { settingsShape } from '#contract/settings';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { trustedCertificates } from '../../outbound/http/ca-files.ts';
import { messageOf } from '../../platform/errors.ts';
import { StoredSettings } from '../settings/stored-settings.ts';
import type { Check, DiagnosticFinding, Scene } from './check.ts';
import { counted, listText, notChecked, ok, problem, warning } from './check.ts';

/** Sealed settings stay sealed: what of them is no secret is enough. */
const SEALED = new StoredSettings({ seal: () => '', open: () => null, whyClosed: () => '' });

/** Settings as they are stored, and the names of those that cannot be used. */
interface Stored {
  settings: Settings;
  unknown: string[];
  invalid: string[];
}

/** Whether what is configured can be used. */
export const SETTING_CHECKS: readonly Check[] = [
  { id: 'settings.values', group: 'Settings', title: 'Values', run: values },
  { id: 'settings.certificates', group: 'Settings', title: 'Certificates', run: certificates },
];

/** The settings that hold for a workspace, as far as it can be read: the defaults otherwise. */
export function settingsOf(facts: Scene['facts']): Settings {
  return readStored(facts).settings;
}

function readStored(facts: Scene['facts']): Stored {
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const unknown: string[] = [];
  const invalid: string[] = [];
  for (const [key, text] of facts === null || facts instanceof Error ? [] : facts.settings) {
    if (!(key in DEFAULT_SETTINGS)) {
      unknown.push(key);
      continue;
    }
    const { value } = SEALED.fromStored(key, JSON.parse(text));
    if (settingsShape.partial().safeParse({ [key]: value }).success) settings[key] = value;
    else invalid.push(key);
  }
  return { settings: settingsShape.parse(settings), unknown, invalid };
}

function values({ facts }: Scene): DiagnosticFinding {
  if (facts === null) return notChecked('there is no workspace');
  if (facts instanceof Error) return notChecked('workspace.db cannot be read, see Databases');
  const { unknown, invalid } = readStored(facts);
  if (invalid.length > 0) {
    return warning(
      `${listText(invalid)}: the stored value cannot be used, so the default holds`,
      'Set it again in Settings, or reset it there.',
    );
  }
  if (unknown.length > 0) {
    return warning(
      `${listText(unknown)}: not known to this version and ignored`,
      'Update Tagwright where a newer version wrote it; otherwise it does no harm.',
    );
  }
  return ok(facts.settings.length === 0 ? 'all defaults' : `${facts.settings.length} changed`);
}

function certificates({ facts }: Scene): DiagnosticFinding {
  const files = settingsOf(facts)['api.caFiles'];
  if (files.length === 0) return ok('no files of your own (setting api.caFiles)');
  for (const file of files) {
    try {
      trustedCertificates([file]);
    } catch (thrown) {
      return problem(
        `${messageOf(thrown)}; every API call fails`,
        'Put a readable PEM file there, or take it out of the setting api.caFiles.',
      );
    }
  }
  return ok(`${counted(files.length, 'file')} with certificates`);
}
