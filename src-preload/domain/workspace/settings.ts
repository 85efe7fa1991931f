import type { ApiMode } from '../mock/api-call.ts';

/** How the log of an instance is written. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The settings of a workspace, with their defaults. Times in ms unless the name says otherwise. */
export interface Settings {
  /** Script time of a run; waiting for host calls does not count. */
  'limits.scriptMs': number;
  /** A run in all. */
  'limits.totalMs': number;
  /** Script time of a live run, which may take ten times that in all. */
  'limits.liveMs': number;
  'limits.memoryMb': number;
  'limits.consoleEntries': number;
  'limits.resultMb': number;
  /** How deep the scripts of tags may run one another. */
  'limits.nesting': number;
  /** What the values of all tags may take in memory. */
  'limits.valuesMb': number;
  /** Script hosts that are kept ready. */
  'hosts.count': number;
  /** Hosts beyond those whose scripts wait for the network. */
  'hosts.waiting': number;
  /** Whether script hosts run without compiling to machine code. */
  'hosts.jitless': boolean;
  /** Whether scripts and SQL run only where an OS sandbox confines them. */
  'hosts.requireOsSandbox': boolean;
  'api.mode': ApiMode;
  /** Whether live calls become mocks. */
  'api.record': boolean;
  /** One API call in all. */
  'api.timeoutMs': number;
  'api.maxRedirects': number;
  'api.maxResponseMb': number;
  /** Hosts that scripts may call, `*.example.com` or `example.com:8443`; none named: all. */
  'api.allowedHosts': string[];
  /** Whether scripts may call the ports that this instance listens on: its events API and its workbench. */
  'api.allowOwnPorts': boolean;
  /** PEM files with certificates that are trusted beside the usual ones. */
  'api.caFiles': string[];
  /** `http://proxy:3128`; '' for none. */
  'api.proxy': string;
  /** Hosts that are reached without it. */
  'api.noProxy': string[];
  /** The header of an API key, and others by host. */
  'api.keyHeader': string;
  'api.keyHeaders': Record<string, string>;
  /** One statement of a DB tag. */
  'db.statementMs': number;
  /** Rows that a statement of a DB tag may give. */
  'db.maxRows': number;
  /** Disabled events that fired longer ago are deleted, days; 0 keeps them. */
  'retention.eventDays': number;
  /** The most disabled events that are kept. */
  'retention.events': number;
  /** Samples of rules that were taken longer ago are deleted, hours. */
  'retention.sampleHours': number;
  /** The most samples that are kept of each rule. */
  'retention.samples': number;
  /** Whether the events API listens. */
  'events.enabled': boolean;
  /** Where it listens on 127.0.0.1. */
  'events.port': number;
  /** The key that every call of it must bring: shown as KEY_IS_SET, '' where none is wanted. */
  'events.apiKey': string;
  /** Lines of the log as text, or each as a JSON object. */
  'log.format': LogFormat;
  /** Time from the last use of a browser session to its end, hours; one with an open window does not end. */
  'ui.sessionHours': number;
  /** Time in which a link to the workbench must be opened, minutes. */
  'ui.linkMinutes': number;
  /** Whether the desktop application starts when the user logs in. */
  'desktop.openAtLogin': boolean;
  /** Whether the desktop application asks once a day whether there is a newer version. */
  'updates.check': boolean;
  /** Where it asks: the address of a JSON file `{ "version": "1.2.3", "url": "https://…" }`. */
  'updates.feed': string;
}

export const DEFAULT_SETTINGS: Settings = {
  'limits.scriptMs': 5_000,
  'limits.totalMs': 120_000,
  'limits.liveMs': 1_000,
  'limits.memoryMb': 128,
  'limits.consoleEntries': 1_000,
  'limits.resultMb': 16,
  'limits.nesting': 8,
  'limits.valuesMb': 512,
  'hosts.count': 2,
  'hosts.waiting': 24,
  'hosts.jitless': false,
  'hosts.requireOsSandbox': false,
  'api.mode': 'mockFirst',
  'api.record': false,
  'api.timeoutMs': 30_000,
  'api.maxRedirects': 5,
  'api.maxResponseMb': 32,
  'api.allowedHosts': [],
  'api.allowOwnPorts': false,
  'api.caFiles': [],
  'api.proxy': '',
  'api.noProxy': ['localhost', '127.0.0.1', '[::1]'],
  'api.keyHeader': 'X-API-Key',
  'api.keyHeaders': {},
  'db.statementMs': 5_000,
  'db.maxRows': 10_000,
  'retention.eventDays': 90,
  'retention.events': 1_000_000,
  'retention.sampleHours': 24,
  'retention.samples': 20_000,
  'events.enabled': true,
  'events.port': 4860,
  'events.apiKey': '',
  'log.format': 'text',
  'ui.sessionHours': 24,
  'ui.linkMinutes': 60,
  'desktop.openAtLogin': false,
  'updates.check': false,
  'updates.feed': '',
};
