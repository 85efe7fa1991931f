import type { Settings } from '#domain/workspace/settings';
import { API_MODE_TEXTS } from '../../../frame/status-bar/api-mode-texts.ts';

export type SettingKey = keyof Settings;

/** How a setting is edited. The ranges come from the contract, which checks them. */
export type Control =
  | { kind: 'number'; min: number; max: number; unit: string }
  | { kind: 'switch' }
  | { kind: 'text'; placeholder: string }
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  /** One entry per line. */
  | { kind: 'lines'; placeholder: string }
  /** `name: value`, one per line. */
  | { kind: 'pairs'; placeholder: string }
  | { kind: 'proxy' }
  | { kind: 'key' };

export interface SettingEntry {
  key: SettingKey;
  title: string;
  help: string;
  control: Control;
}

export interface SettingGroup {
  title: string;
  fields: readonly SettingEntry[];
}

const number = (min: number, max: number, unit: string): Control => ({ kind: 'number', min, max, unit });

/** Every setting, in display order. */
export const GROUPS: readonly SettingGroup[] = [
  {
    title: 'Events API',
    fields: [
      {
        key: 'events.enabled',
        title: 'Listen',
        help: 'Gives other programs on this machine access to /api/events.',
        control: { kind: 'switch' },
      },
      {
        key: 'events.port',
        title: 'Port',
        help: 'The port on 127.0.0.1; 0 picks a free one.',
        control: number(0, 65_535, ''),
      },
      {
        key: 'events.apiKey',
        title: 'Key',
        help: 'Required with every request, as X-API-Key or as a bearer token. Without a key, any program on this machine has access. Only a hash of it is stored.',
        control: { kind: 'key' },
      },
    ],
  },
  {
    title: 'Hub',
    fields: [
      {
        key: 'hub.url',
        title: 'Database',
        help: 'The address that “tagwright hub sites add” printed. The password in it is hidden here and encrypted on disk.',
        control: { kind: 'proxy' },
      },
      {
        key: 'hub.site',
        title: 'Site',
        help: 'The name of this site at the hub. With an address and a name, events and their rows are copied there.',
        control: { kind: 'text', placeholder: 'leeds' },
      },
    ],
  },
  {
    title: 'Limits of a run',
    fields: [
      {
        key: 'limits.scriptMs',
        title: 'Script time',
        help: 'Computing time of a script; waiting for tags and API calls does not count.',
        control: number(10, 3_600_000, 'ms'),
      },
      {
        key: 'limits.totalMs',
        title: 'Total time',
        help: 'Total time of a run, including waits.',
        control: number(10, 86_400_000, 'ms'),
      },
      {
        key: 'limits.liveMs',
        title: 'Script time of a live run',
        help: 'Script time of runs while you type; their total time is ten times that.',
        control: number(10, 60_000, 'ms'),
      },
      { key: 'limits.memoryMb', title: 'Memory', help: 'Memory of a run.', control: number(16, 4_096, 'MB') },
      {
        key: 'limits.resultMb',
        title: 'Result',
        help: 'Maximum size of a result, as JSON.',
        control: number(1, 256, 'MB'),
      },
      {
        key: 'limits.consoleEntries',
        title: 'Console entries',
        help: 'The last ones of a run are kept; earlier ones are counted.',
        control: number(0, 100_000, 'entries'),
      },
      {
        key: 'limits.nesting',
        title: 'Nesting',
        help: 'Nesting depth of runs of script tags.',
        control: number(0, 32, 'levels'),
      },
      {
        key: 'limits.valuesMb',
        title: 'Values of all tags',
        help: 'Memory for stored values, overrides and last ERP records. A write that exceeds it is rejected.',
        control: number(1, 65_536, 'MB'),
      },
      {
        key: 'limits.erpRecords',
        title: 'ERP outbox',
        help: 'Maximum number of sent records. At this limit, writes of ERP tags are rejected until records are cleared.',
        control: number(1, 1_000_000_000, 'records'),
      },
    ],
  },
  {
    title: 'Debugger',
    fields: [
      {
        key: 'debug.pausedMinutes',
        title: 'Paused run',
        help: 'A debugged run that stays paused for this time ends.',
        control: number(1, 1_440, 'minutes'),
      },
    ],
  },
  {
    title: 'Script hosts',
    fields: [
      {
        key: 'hosts.count',
        title: 'Hosts',
        help: 'Processes that run scripts at the same time.',
        control: number(1, 16, 'processes'),
      },
      {
        key: 'hosts.waiting',
        title: 'Waiting hosts',
        help: 'Additional processes while scripts wait. When all are in use, runs of scripts that wait are held back; other runs continue.',
        control: number(0, 200, 'processes'),
      },
      {
        key: 'hosts.waitingMb',
        title: 'Memory of waiting hosts',
        help: 'For all of them together; a waiting host takes about 50 MB. 0: a quarter of the memory of this machine.',
        control: number(0, 1_048_576, 'MB'),
      },
      {
        key: 'hosts.requireOsSandbox',
        title: 'Require the OS sandbox',
        help: 'Rejects scripts and SQL if the operating system does not confine their processes.',
        control: { kind: 'switch' },
      },
      {
        key: 'hosts.jitless',
        title: 'No machine code',
        help: 'Interprets scripts, which prevents most attacks on the engine. Short runs take the same time, long computations several times as long.',
        control: { kind: 'switch' },
      },
    ],
  },
  {
    title: 'API calls',
    fields: [
      {
        key: 'api.mode',
        title: 'Destination',
        help: 'Dry runs, live runs and tests never leave this machine, in any mode.',
        control: {
          kind: 'choice',
          choices: (['mockFirst', 'live', 'offline'] as const).map((value) => ({
            value,
            label: API_MODE_TEXTS[value],
          })),
        },
      },
      {
        key: 'api.record',
        title: 'Record',
        help: 'Records live calls as mocks, with secrets masked.',
        control: { kind: 'switch' },
      },
      {
        key: 'api.recordFolder',
        title: 'Record into folder',
        help: 'The folder of API mocks that new recorded ones go into; leave empty for none.',
        control: { kind: 'text', placeholder: 'ERP/Orders' },
      },
      {
        key: 'api.recordHeaders',
        title: 'Record by headers',
        help: 'Request headers that recorded mocks require, so that calls of one URL with different values become different mocks. Credentials are never recorded.',
        control: { kind: 'lines', placeholder: 'Accept\nIf-None-Match' },
      },
      {
        key: 'api.recordSequences',
        title: 'Record sequences',
        help: 'In live mode, appends each new response of a recorded call to the sequence of its mock, for example 500 and then 200.',
        control: { kind: 'switch' },
      },
      { key: 'api.timeoutMs', title: 'Timeout', help: 'Total time of a call.', control: number(10, 3_600_000, 'ms') },
      { key: 'api.maxRedirects', title: 'Redirects', help: 'Maximum number of redirects.', control: number(0, 20, '') },
      {
        key: 'api.maxResponseMb',
        title: 'Response',
        help: 'Maximum size of a response.',
        control: number(1, 256, 'MB'),
      },
      {
        key: 'api.allowedHosts',
        title: 'Allowed hosts',
        help: 'Hosts that scripts can call; leave empty to allow all.',
        control: { kind: 'lines', placeholder: '*.example.com\nerp.example.com:8443' },
      },
      {
        key: 'api.allowOwnPorts',
        title: 'Own ports',
        help: 'Lets scripts call the events API and the workbench of this instance, and so change its events.',
        control: { kind: 'switch' },
      },
      {
        key: 'api.keyHeader',
        title: 'Header of the API key',
        help: 'For FetchWithApiKey and GetImageWithApiKey.',
        control: { kind: 'text', placeholder: 'X-API-Key' },
      },
      {
        key: 'api.keyHeaders',
        title: 'Headers by host',
        help: 'For hosts that require the key in another header.',
        control: { kind: 'pairs', placeholder: 'erp.example.com: Ocp-Apim-Subscription-Key' },
      },
      {
        key: 'api.caFiles',
        title: 'Certificates',
        help: 'PEM files of additional trusted certificate authorities.',
        control: { kind: 'lines', placeholder: '/etc/ssl/company-root.pem' },
      },
      {
        key: 'api.proxy',
        title: 'Proxy',
        help: 'A password in it is hidden here and encrypted on disk; {{secret:NAME}} keeps it out of the settings.',
        control: { kind: 'proxy' },
      },
      {
        key: 'api.noProxy',
        title: 'Without proxy',
        help: 'Hosts that are reached without the proxy.',
        control: { kind: 'lines', placeholder: 'localhost' },
      },
    ],
  },
  {
    title: 'DB tags',
    fields: [
      {
        key: 'db.statementMs',
        title: 'Statement timeout',
        help: 'A longer statement is interrupted. All DB tags of one Get or Set together get six times this limit.',
        control: number(50, 600_000, 'ms'),
      },
      {
        key: 'db.maxRows',
        title: 'Rows',
        help: 'Maximum number of rows of a statement.',
        control: number(1, 1_000_000, 'rows'),
      },
    ],
  },
  {
    title: 'Retention',
    fields: [
      {
        key: 'retention.eventDays',
        title: 'Age of disabled events',
        help: 'Disabled events that fired longer ago are deleted; 0 keeps them.',
        control: number(0, 36_500, 'days'),
      },
      {
        key: 'retention.events',
        title: 'Disabled events',
        help: 'Maximum number of disabled events; 0 keeps none.',
        control: number(0, 1_000_000_000, 'events'),
      },
      {
        key: 'retention.changeDays',
        title: 'Age of changes of events',
        help: 'Older changes are removed from the change feed; a client that continues before them gets a new list. 0 keeps them.',
        control: number(0, 36_500, 'days'),
      },
      {
        key: 'retention.changes',
        title: 'Changes of events',
        help: 'Maximum number of changes in the change feed of the events API.',
        control: number(0, 1_000_000_000, 'changes'),
      },
      {
        key: 'retention.sampleHours',
        title: 'Age of samples',
        help: 'Older samples of rules are deleted, except those of open windows.',
        control: number(0, 876_000, 'hours'),
      },
      {
        key: 'retention.samples',
        title: 'Samples',
        help: 'Maximum number of samples per rule, not counting its open window.',
        control: number(0, 1_000_000_000, 'samples'),
      },
      {
        key: 'journal.megabytes',
        title: 'Size of the journal',
        help: 'Maximum size of the record of what led to changes; the oldest entries are deleted. 0 records nothing.',
        control: number(0, 10_000, 'MB'),
      },
      {
        key: 'journal.days',
        title: 'Age of the journal',
        help: 'Older entries are deleted, except pinned runs; 0 keeps them.',
        control: number(0, 36_500, 'days'),
      },
    ],
  },
  {
    title: 'Operation',
    fields: [
      {
        key: 'log.format',
        title: 'Log',
        help: 'Format of logs/tagwright.log: readable lines, or one JSON object per line for programs.',
        control: {
          kind: 'choice',
          choices: [
            { value: 'text', label: 'Text' },
            { value: 'json', label: 'JSON lines' },
          ],
        },
      },
    ],
  },
  {
    title: 'Browser sessions',
    fields: [
      {
        key: 'ui.sessionHours',
        title: 'Session lifetime',
        help: 'A browser session ends this long after its last use. A session with an open window does not end.',
        control: number(1, 8_760, 'hours'),
      },
      {
        key: 'ui.linkMinutes',
        title: 'Link lifetime',
        help: 'Time in which you must open a link to the workbench.',
        control: number(1, 43_200, 'minutes'),
      },
    ],
  },
  {
    title: 'Desktop',
    fields: [
      {
        key: 'desktop.openAtLogin',
        title: 'Open at login',
        help: 'The desktop application starts when you log in.',
        control: { kind: 'switch' },
      },
      {
        key: 'updates.check',
        title: 'Check for updates',
        help: 'The desktop application checks once a day whether there is a newer version. It installs nothing.',
        control: { kind: 'switch' },
      },
      {
        key: 'updates.feed',
        title: 'Update feed',
        help: 'The address of a JSON file { "version": "1.2.3", "url": "https://…" }.',
        control: { kind: 'text', placeholder: 'https://intranet.example.com/tagwright.json' },
      },
    ],
  },
];

/** Sections of the view other than the settings of the workspace, with their search words. */
export const SECTIONS = {
  appearance: {
    title: 'Theme',
    group: 'Appearance',
    words: 'appearance theme light dark high contrast system colors editor text font size word wrap zoom',
  },
  sessions: {
    title: 'Sign out everywhere',
    group: 'Sign out',
    words: 'sign out everywhere browser sessions links log out',
  },
  workspace: { title: 'Backups', group: 'Workspace', words: 'workspace backups back up restore copies version folder' },
  others: {
    title: 'Other workspaces',
    group: 'Workspace',
    words: 'other workspaces new copy recent empty sample open',
  },
  diagnostics: {
    title: 'Diagnostics',
    group: 'Help',
    words: 'diagnostics doctor checks problems support file health ports permissions sandbox disk clock integrity log',
  },
} as const;

export const SECTION_NAMES = [
  'appearance',
  'sessions',
  'workspace',
  'others',
  'diagnostics',
] as const satisfies (keyof typeof SECTIONS)[];

/** Whether the words of a section include every word of the text. */
export function isFound(section: keyof typeof SECTIONS, text: string): boolean {
  const all = SECTIONS[section].words;
  return wordsOf(text).every((word) => all.includes(word));
}

/** The groups with the fields that match every word, in title, help, key or the title of the group. */
export function found(groups: readonly SettingGroup[], text: string): SettingGroup[] {
  const words = wordsOf(text);
  return groups.flatMap(({ title, fields }) => {
    const fitting = fields.filter(({ key, title: name, help }) => {
      const all = `${title} ${name} ${help} ${key}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
    return fitting.length === 0 ? [] : [{ title, fields: fitting }];
  });
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
