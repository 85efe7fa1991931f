/** The settings of a workspace, with their defaults (decision 4). Times in ms unless the name says otherwise. */
export interface Settings {
  /** Script time of a run; waiting for host calls does not count. */
  'limits.scriptMs': number;
  /** A run in all. */
  'limits.totalMs': number;
  'limits.memoryMb': number;
  'limits.consoleEntries': number;
  'limits.resultMb': number;
  /** How deep the scripts of tags may run one another. */
  'limits.nesting': number;
  /** Script hosts that are kept ready. */
  'hosts.count': number;
  /** Whether the events API listens. */
  'events.enabled': boolean;
  /** Where it listens on 127.0.0.1. */
  'events.port': number;
  /** The key that every call of it must bring; '' where none is wanted. */
  'events.apiKey': string;
}

export const DEFAULT_SETTINGS: Settings = {
  'limits.scriptMs': 5_000,
  'limits.totalMs': 120_000,
  'limits.memoryMb': 128,
  'limits.consoleEntries': 1_000,
  'limits.resultMb': 16,
  'limits.nesting': 8,
  'hosts.count': 2,
  'events.enabled': true,
  'events.port': 4860,
  'events.apiKey': '',
};
