/**
 * The places of the manual that the window links to: pages, with or without one of their headings. A test checks that
 * each of them exists.
 */
export const HELP = {
  manual: 'README',
  workbench: 'workbench',
  scripts: 'script-editor',
  preview: 'script-editor#preview',
  runs: 'scripts#how-a-run-ends',
  reads: 'scripts#read-tags-tagvaluemanagergettags-tagscopediagram-tagscopelocation',
  limits: 'scripts#limits',
  scriptTests: 'script-tests',
  failures: 'failures',
  lens: 'scope-lens',
  capsules: 'capsules#in-the-window',
  debugging: 'debugging#in-the-window',
  showValues: 'debugging#show-values',
  tags: 'tags#the-tags-view-ctrl2',
  qualities: 'tags#qualities',
  writes: 'scripts#write-tags-tagvaluemanagersettags-tagscopediagram-tagscopelocation',
  erp: 'tags#erp-tags',
  aggregations: 'aggregations#in-the-workbench-ctrl3',
  events: 'events',
  eventsApi: 'events-api',
  mocks: 'api-mocks',
  apiErrors: 'api-calls#errors',
  callLog: 'api-calls#call-log',
  secrets: 'api-calls#secrets',
  diagrams: 'diagrams',
  search: 'search',
  why: 'journal#in-the-window',
  settings: 'settings',
  backups: 'workspace#backups',
  unopened: 'workspace#when-a-workspace-cant-be-opened',
  start: 'troubleshooting#it-does-not-start',
  noEventsApi: 'troubleshooting#the-events-api-does-not-respond',
  askForHelp: 'troubleshooting#ask-for-help',
  troubleshooting: 'troubleshooting',
} as const satisfies Record<string, string>;

export type Help = keyof typeof HELP;
