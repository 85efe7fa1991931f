import type { Settings } from '#domain/workspace/settings';
import { API_MODE_TEXTS } from '../../../frame/status-bar/api-mode-texts.ts';

export type SettingKey = keyof Settings;

/** How a setting is edited. Ranges are those of the contract, which has the last word. */
export type Control =
  | { kind: 'number'; min: number; max: number; unit: string }
  | { kind: 'switch' }
  | { kind: 'text'; placeholder: string }
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  /** One entry a line. */
  | { kind: 'lines'; placeholder: string }
  /** `name: value`, one a line. */
  | { kind: 'pairs'; placeholder: string }
  | { kind: 'proxy' }
  | { kind: 'key' };

export interface Field {
  key: SettingKey;
  title: string;
  help: string;
  control: Control;
}

export interface SettingGroup {
  title: string;
  fields: readonly Field[];
}

const number = (min: number, max: number, unit: string): Control => ({ kind: 'number', min, max, unit });

/** Every setting, in the order in which it is shown. */
export const GROUPS: readonly SettingGroup[] = [
  {
    title: 'Events API',
    fields: [
      {
        key: 'events.enabled',
        title: 'Listen',
        help: 'Whether other programs on this machine reach /api/events.',
        control: { kind: 'switch' },
      },
      {
        key: 'events.port',
        title: 'Port',
        help: 'Where it listens on 127.0.0.1; 0 takes a free one.',
        control: number(0, 65_535, ''),
      },
      {
        key: 'events.apiKey',
        title: 'Key',
        help: 'What every call must bring, as X-API-Key or as a bearer token. Without one any program on this machine may call. Only a hash of it is stored.',
        control: { kind: 'key' },
      },
    ],
  },
  {
    title: 'Limits of a run',
    fields: [
      {
        key: 'limits.scriptMs',
        title: 'Script time',
        help: 'What a script may compute; waiting for tags and API calls does not count.',
        control: number(10, 3_600_000, 'ms'),
      },
      {
        key: 'limits.totalMs',
        title: 'Time in all',
        help: 'With everything that it waits for.',
        control: number(10, 86_400_000, 'ms'),
      },
      {
        key: 'limits.liveMs',
        title: 'Script time of a live run',
        help: 'The run beside your typing; in all it may take ten times that.',
        control: number(10, 60_000, 'ms'),
      },
      { key: 'limits.memoryMb', title: 'Memory', help: 'Of one run.', control: number(16, 4_096, 'MB') },
      {
        key: 'limits.resultMb',
        title: 'Result',
        help: 'The largest result, as JSON.',
        control: number(1, 256, 'MB'),
      },
      {
        key: 'limits.consoleEntries',
        title: 'Console entries',
        help: 'Those beyond are counted, not kept.',
        control: number(0, 100_000, 'entries'),
      },
      {
        key: 'limits.nesting',
        title: 'Nesting',
        help: 'How deep the scripts of tags may run one another.',
        control: number(0, 32, 'levels'),
      },
      {
        key: 'limits.valuesMb',
        title: 'Values of all tags',
        help: 'Memory for stored values, overrides and last ERP records; a write over it is refused.',
        control: number(1, 65_536, 'MB'),
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
        help: 'Further ones whose scripts wait for the network; a run beyond that waits for its turn.',
        control: number(0, 200, 'processes'),
      },
      {
        key: 'hosts.requireOsSandbox',
        title: 'Require the OS sandbox',
        help: 'Refuses to run scripts and SQL where the operating system does not confine their processes.',
        control: { kind: 'switch' },
      },
      {
        key: 'hosts.jitless',
        title: 'No machine code',
        help: 'Interprets scripts, which closes the way of most attacks on the engine. Short runs take the same time, long computations several times as long.',
        control: { kind: 'switch' },
      },
    ],
  },
  {
    title: 'API calls',
    fields: [
      {
        key: 'api.mode',
        title: 'Calls go',
        help: 'Dry runs, live runs and tests never leave this machine, whatever is chosen here.',
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
        help: 'Calls that went out become mocks, with secrets masked.',
        control: { kind: 'switch' },
      },
      { key: 'api.timeoutMs', title: 'Time of a call', help: 'In all.', control: number(10, 3_600_000, 'ms') },
      { key: 'api.maxRedirects', title: 'Redirects', help: 'Those that are followed.', control: number(0, 20, '') },
      { key: 'api.maxResponseMb', title: 'Answer', help: 'The largest one.', control: number(1, 256, 'MB') },
      {
        key: 'api.allowedHosts',
        title: 'Allowed hosts',
        help: 'Hosts that scripts may call; none named allows all.',
        control: { kind: 'lines', placeholder: '*.example.com\nerp.example.com:8443' },
      },
      {
        key: 'api.allowOwnPorts',
        title: 'Own ports',
        help: 'Whether scripts may call the events API and the workbench of this instance, and so change its events.',
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
        help: 'Where a host wants the key in another header.',
        control: { kind: 'pairs', placeholder: 'erp.example.com: Ocp-Apim-Subscription-Key' },
      },
      {
        key: 'api.caFiles',
        title: 'Certificates',
        help: 'PEM files of certificate authorities that are trusted beside the usual ones.',
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
        help: 'Hosts that are reached directly.',
        control: { kind: 'lines', placeholder: 'localhost' },
      },
    ],
  },
  {
    title: 'DB tags',
    fields: [
      {
        key: 'db.statementMs',
        title: 'Time of a statement',
        help: 'A longer one is interrupted.',
        control: number(50, 600_000, 'ms'),
      },
      {
        key: 'db.maxRows',
        title: 'Rows',
        help: 'Those that a statement may give.',
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
        help: 'Those that fired longer ago are deleted; 0 keeps them.',
        control: number(0, 36_500, 'days'),
      },
      {
        key: 'retention.events',
        title: 'Disabled events',
        help: 'The most that are kept; 0 keeps none.',
        control: number(0, 1_000_000_000, 'events'),
      },
      {
        key: 'retention.sampleHours',
        title: 'Age of samples',
        help: 'Older samples of rules are deleted, but for those of open windows.',
        control: number(0, 876_000, 'hours'),
      },
      {
        key: 'retention.samples',
        title: 'Samples',
        help: 'The most that are kept of each rule, beside those of its open window.',
        control: number(0, 1_000_000_000, 'samples'),
      },
    ],
  },
  {
    title: 'Operation',
    fields: [
      {
        key: 'log.format',
        title: 'Log',
        help: 'How logs/tagwright.log is written: lines to read, or one JSON object a line for programs.',
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
        help: 'Time from the last use of a browser session to its end. A session with an open window does not end.',
        control: number(1, 8_760, 'hours'),
      },
      {
        key: 'ui.linkMinutes',
        title: 'Link lifetime',
        help: 'Time in which a link to the workbench must be opened.',
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
        title: 'Look for updates',
        help: 'The desktop application asks once a day whether there is a newer version. It installs nothing.',
        control: { kind: 'switch' },
      },
      {
        key: 'updates.feed',
        title: 'Where it asks',
        help: 'The address of a JSON file { "version": "1.2.3", "url": "https://…" }.',
        control: { kind: 'text', placeholder: 'https://intranet.example.com/tagwright.json' },
      },
    ],
  },
];

/** What the view shows beside the settings of the workspace, and the words by which it is found. */
export const SECTIONS = {
  appearance: {
    title: 'Theme',
    group: 'Appearance',
    words: 'appearance theme light dark high contrast system colours',
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

/** Whether every word of the text is among the words of a section. */
export function isFound(section: keyof typeof SECTIONS, text: string): boolean {
  const all = SECTIONS[section].words;
  return wordsOf(text).every((word) => all.includes(word));
}

/** Groups with the fields that hold every word, in title, help, key or the title of the group. */
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
