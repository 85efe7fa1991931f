import type { ApiMode } from '../mock/api-call.ts';

/** The format of the log of an instance. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The settings of a workspace, with their defaults. Times in ms unless the name says otherwise. */
export interface Settings {
  /** Script time of a run; waiting for host calls does not count. */
  'limits.scriptMs': number;
  /** Total time of a run. */
  'limits.totalMs': number;
  /** Script time of a live run; its total time is ten times that. */
  'limits.liveMs': number;
  'limits.memoryMb': number;
  'limits.consoleEntries': number;
  'limits.resultMb': number;
  /** Nesting depth of runs of script tags. */
  'limits.nesting': number;
  /** Memory limit of the values of all tags. */
  'limits.valuesMb': number;
  /** Maximum number of records in the ERP outbox. */
  'limits.erpRecords': number;
  /** Time after which a run that stays paused in the debugger ends, minutes. */
  'debug.pausedMinutes': number;
  /** The number of script hosts. */
  'hosts.count': number;
  /** Additional hosts while scripts wait for the network. */
  'hosts.waiting': number;
  /** The memory that these may have in total, MB; 0 is a quarter of the memory of the machine. */
  'hosts.waitingMb': number;
  /** Whether script hosts run without compiling to machine code. */
  'hosts.jitless': boolean;
  /** Whether scripts and SQL run only where an OS sandbox confines them. */
  'hosts.requireOsSandbox': boolean;
  'api.mode': ApiMode;
  /** Whether live calls are recorded as mocks. */
  'api.record': boolean;
  /** The folder of mocks, such as `ERP/Orders`, that new recorded ones go into; '' for none. */
  'api.recordFolder': string;
  /** Request headers, such as `Accept`, that recorded mocks require; credentials are never recorded. */
  'api.recordHeaders': string[];
  /** Whether another response to a recorded call is added to the sequence of its mock. */
  'api.recordSequences': boolean;
  /** Total time of one API call. */
  'api.timeoutMs': number;
  'api.maxRedirects': number;
  'api.maxResponseMb': number;
  /** Hosts that scripts can call, `*.example.com` or `example.com:8443`; empty allows all. */
  'api.allowedHosts': string[];
  /** Whether scripts can call the ports of this instance: its events API and its workbench. */
  'api.allowOwnPorts': boolean;
  /** PEM files with additional trusted certificates. */
  'api.caFiles': string[];
  /** `http://proxy:3128`; '' for none. */
  'api.proxy': string;
  /** Hosts that are reached without the proxy. */
  'api.noProxy': string[];
  /** The header of an API key, and exceptions by host. */
  'api.keyHeader': string;
  'api.keyHeaders': Record<string, string>;
  /** Time of one statement of a DB tag. */
  'db.statementMs': number;
  /** Maximum number of rows of a statement of a DB tag. */
  'db.maxRows': number;
  /** Age in days at which disabled events are deleted; 0 keeps them. */
  'retention.eventDays': number;
  /** Maximum number of disabled events. */
  'retention.events': number;
  /** Age in days at which changes of events are removed from the change feed; 0 keeps them. */
  'retention.changeDays': number;
  /** Maximum number of changes in the change feed. */
  'retention.changes': number;
  /** Age in hours at which samples of rules are deleted. */
  'retention.sampleHours': number;
  /** Maximum number of samples per rule. */
  'retention.samples': number;
  /** Maximum size of the journal, MB; 0 records nothing. */
  'journal.megabytes': number;
  /** Age in days at which entries of the journal are deleted; 0 keeps them. */
  'journal.days': number;
  /** Whether the events API listens. */
  'events.enabled': boolean;
  /** Its port on 127.0.0.1. */
  'events.port': number;
  /** The required key of its requests: shown as KEY_IS_SET, '' if none is required. */
  'events.apiKey': string;
  /** The address of the database of a hub, `postgres://…`, with its password; '' for none. */
  'hub.url': string;
  /** The name of this site at the hub; '' for none. */
  'hub.site': string;
  /** The log as readable lines, or as one JSON object per line. */
  'log.format': LogFormat;
  /** A browser session ends this long after its last use, hours; with an open window, it stays. */
  'ui.sessionHours': number;
  /** Time in which a link to the workbench must be opened, minutes. */
  'ui.linkMinutes': number;
  /** Whether the desktop application starts when the user logs in. */
  'desktop.openAtLogin': boolean;
  /** Whether the desktop application checks once a day for a newer version. */
  'updates.check': boolean;
  /** The address of the update feed, a JSON file `{ "version": "1.2.3", "url": "https://…" }`. */
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
  'limits.erpRecords': 10_000_000,
  'debug.pausedMinutes': 30,
  'hosts.count': 2,
  'hosts.waiting': 200,
  'hosts.waitingMb': 0,
  'hosts.jitless': false,
  'hosts.requireOsSandbox': false,
  'api.mode': 'mockFirst',
  'api.record': false,
  'api.recordFolder': '',
  'api.recordHeaders': [],
  'api.recordSequences': false,
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
  'retention.changeDays': 30,
  'retention.changes': 200_000,
  'retention.sampleHours': 24,
  'retention.samples': 20_000,
  'journal.megabytes': 200,
  'journal.days': 30,
  'events.enabled': true,
  'events.port': 4860,
  'events.apiKey': '',
  'hub.url': '',
  'hub.site': '',
  'log.format': 'text',
  'ui.sessionHours': 24,
  'ui.linkMinutes': 60,
  'desktop.openAtLogin': false,
  'updates.check': false,
  'updates.feed': '',
};
