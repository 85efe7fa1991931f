import { settingsShape } from '#contract/settings';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { trustedCertificates } from '../../outbound/http/ca-files.ts';
import { StoredSettings } from '../settings/stored-settings.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { counted, listText, notChecked, ok, problem, warning } from './check.ts';

/** Sealed settings stay sealed: their public part is enough. */
const SEALED = new StoredSettings({ seal: () => '', open: () => null, whyClosed: () => '' });

/** The stored settings, and the names of invalid ones. */
interface ReadableSettings {
  settings: Settings;
  unknown: string[];
  invalid: string[];
}

/** Whether the configuration is usable. */
export const SETTING_CHECKS: readonly Check[] = [
  { id: 'settings.values', group: 'Settings', title: 'Values', run: values },
  { id: 'settings.certificates', group: 'Settings', title: 'Certificates', run: certificates },
];

/** The effective settings of a workspace, as far as they can be read; otherwise the defaults. */
export function settingsOf(facts: CheckInput['facts']): Settings {
  return readStored(facts).settings;
}

function readStored(facts: CheckInput['facts']): ReadableSettings {
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

function values({ facts }: CheckInput): DiagnosticFinding {
  if (facts === null) return notChecked('the workspace does not exist');
  if (facts instanceof Error) return notChecked('workspace.db cannot be read, see Databases');
  const { unknown, invalid } = readStored(facts);
  if (invalid.length > 0) {
    return warning(
      `${listText(invalid)}: the stored value is invalid, so the default is used`,
      'Set it again in Settings, or reset it there.',
    );
  }
  if (unknown.length > 0) {
    return warning(
      `${listText(unknown)}: not known to this version and ignored`,
      'Update Tagwright if a newer version wrote it; otherwise it is harmless.',
    );
  }
  return ok(facts.settings.length === 0 ? 'all defaults' : `${facts.settings.length} changed`);
}

function certificates({ facts }: CheckInput): DiagnosticFinding {
  const files = settingsOf(facts)['api.caFiles'];
  if (files.length === 0) return ok('no files of your own (setting api.caFiles)');
  const [first, ...others] = trustedCertificates(files).problems;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more cannot be used`;
    return problem(
      `${first}${more}; API calls to hosts that need its certificates fail`,
      'Put a readable PEM file there, or remove it from the setting api.caFiles.',
    );
  }
  return ok(`${counted(files.length, 'file')} with certificates`);
}
