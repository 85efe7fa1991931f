import { availableParallelism, homedir, hostname, release, totalmem, type } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Diagnosis, SupportFile } from '#domain/workspace/diagnosis';
import type { Json, JsonObject } from '#domain/text/json';
import { PRIVATE_SETTINGS } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { SecretMask } from '../../outbound/secrets/secret-mask.ts';
import { maskText } from '../../platform/mask-secrets.ts';
import type { WorkspaceFacts } from '../../storage/workspace/examination/examine.ts';
import type { CheckInput } from './check.ts';
import { logLines, parsedLine } from './log-check.ts';
import { settingsOf } from './setting-checks.ts';

export interface SupportParts {
  diagnosis: Diagnosis;
  facts: CheckInput['facts'];
  workspace: string;
  root: string;
  /** Values that are masked anywhere. */
  secrets: readonly string[];
}

const MOST_LOG_LINES = 500;
const LONGEST_LINE = 2_000;

/**
 * Information for finding a fault, as readable JSON: the diagnosis, versions, which settings differ, counts, and the
 * end of the log. Excluded: secrets and keys, values, bodies of scripts, and names of tags, scripts, rules, hosts and
 * people. Texts in quotes are omitted, because messages quote names of the plant.
 */
export function supportFile({ diagnosis, facts, workspace, root, secrets }: SupportParts): SupportFile {
  const known = facts === null || facts instanceof Error ? null : facts;
  const settings = settingsOf(facts);
  const hidden = new SecretMask([...secrets, ...clearTexts(known)].flatMap(withPassword));
  const scrub = scrubber(hidden, { workspace, root });
  const content = {
    format: 'tagwright-support/1',
    madeAt: diagnosis.madeAt,
    diagnosis: {
      ...diagnosis,
      workspace: '<workspace>',
      checks: diagnosis.checks.map((check) => ({
        ...check,
        detail: scrub(check.detail),
        fix: check.fix === null ? null : scrub(check.fix),
      })),
    },
    system: {
      system: `${type()} ${release()}`,
      platform: process.platform,
      architecture: process.arch,
      processors: availableParallelism(),
      memoryMb: Math.round(totalmem() / 2 ** 20),
      node: process.versions.node,
      electron: process.versions['electron'] ?? null,
    },
    settings: known === null ? null : shownSettings(settings),
    counts: known === null ? null : { ...known.contents, secrets: known.secrets },
    log: logLines(workspace)
      .slice(-MOST_LOG_LINES)
      .map((line) => scrubLine(line, scrub)),
  };
  const stamp = diagnosis.madeAt.slice(0, 19).replaceAll(/[-:]/g, '');
  return { name: `tagwright-support-${stamp}Z.json`, text: `${JSON.stringify(content, null, 2)}\n` };
}

/** Numbers and switches as they are; for a text only whether it is set, because it contains hosts, files and keys. */
export function shownSettings(settings: Settings): Record<string, Json> {
  const defaults = new Map<string, Json>(Object.entries(DEFAULT_SETTINGS));
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]): [string, Json] => {
      if (value === '') return [key, 'not set'];
      if (isDeepStrictEqual(value, defaults.get(key)) || key === 'api.mode') return [key, value];
      return [key, typeof value === 'number' || typeof value === 'boolean' ? value : sizeOf(value)];
    }),
  );
}

function sizeOf(value: Json): string {
  if (typeof value === 'string') return 'set';
  const count = Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;
  return `set, ${count} ${count === 1 ? 'entry' : 'entries'}`;
}

/** Secrets that an earlier version stored in plain text. */
function clearTexts(facts: WorkspaceFacts | null): string[] {
  const stored = facts?.settings.map(([key, text]): [string, unknown] => [key, JSON.parse(text)]) ?? [];
  const mayHold = (key: string) => key === 'events.apiKey' || PRIVATE_SETTINGS.some((one) => one === key);
  return stored.flatMap(([key, value]) => (mayHold(key) && typeof value === 'string' ? [value] : []));
}

/** An address can be logged without its password, and the password on its own. */
function withPassword(text: string): string[] {
  const password = URL.parse(text)?.password ?? '';
  return password === '' ? [text] : [text, password, decoded(password)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Scrub = (text: string) => string;

/** Keeps the wording of a message, and removes the names in it. */
export function scrubber(
  hidden: Pick<SecretMask, 'text'>,
  { workspace, root }: { workspace: string; root: string },
): Scrub {
  const places: [string, string][] = [
    [workspace, '<workspace>'],
    [root, '<tagwright>'],
    [homedir(), '~'],
  ];
  const host = new RegExp(`\\b${hostname().replaceAll('.', '\\.')}\\b`, 'g');
  return (text) => {
    let scrubbed = maskText(hidden.text(text));
    for (const [place, name] of places) if (place.length > 1) scrubbed = scrubbed.replaceAll(place, name);
    return (
      scrubbed
        .replaceAll(host, '<host>')
        // A quoted path of Tagwright stays; other quotes contain names of the plant.
        .replaceAll(/"(?!<(?:workspace|tagwright)>[^"]*")[^"]*"/g, '"…"')
        .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/(?!127\.0\.0\.1\b|localhost\b)\S+/gi, '<address>')
        .replaceAll(OTHER_PATHS, '<path>')
        .replaceAll(DOTTED_NAMES, '<name>')
    );
  };
}

/** Paths outside of the workspace and of Tagwright, except for those of the system. */
const OTHER_PATHS = /(?<![\w>~:/.])\/(?!(?:tmp|usr|bin|lib|proc|dev|sbin)\b)[^\s"':;,)]{2,}|\b[A-Za-z]:\\[^\s"':;,)]+/g;
/** Paths of tags, and host names: three parts or more; the first begins with a letter. */
const DOTTED_NAMES =
  /(?<![\p{L}\d_/\\.-]|\n {4}at (?:async |new )*)[\p{L}_][\p{L}\d_-]*(?:\.[\p{L}\d_-]+){2,}(?![\p{L}\d_(/\\])/gu;

/** The details of a line are JSON: each of its texts is scrubbed, so that member names stay readable. */
export function scrubLine(line: string, scrub: Scrub): string {
  const json = line.startsWith('{') ? parsedLine(line) : null;
  if (json) {
    const { message, fields = {} } = json;
    return shortened(JSON.stringify({ ...json, message: scrub(message), fields: scrubbedDetails(fields, scrub) }));
  }
  const [, at, rest = ''] = /^(\d{4}-\d\d-\d\dT\S+ )(.*)$/.exec(line) ?? [];
  // Nested quotes are ambiguous in text that is not JSON: such parts are omitted.
  if (at === undefined) return '<omitted>';
  const start = rest.indexOf(' {"');
  if (start < 0) return at + shortened(scrub(rest));
  const [, text = '', repeated = ''] = /^(.*?)( \(\d+ [^()"]*\))?$/.exec(rest.slice(start + 1)) ?? [];
  const details = detailsOf(text);
  const shown = details === null ? '<omitted>' : JSON.stringify(scrubbedDetails(details, scrub));
  return at + shortened(`${scrub(rest.slice(0, start))} ${shown}${repeated}`);
}

const shortened = (text: string): string => (text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text);

function scrubbedDetails(value: Json, scrub: Scrub): Json {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((part) => scrubbedDetails(part, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [scrub(key), scrubbedDetails(part, scrub)]));
}

function detailsOf(text: string): JsonObject | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
