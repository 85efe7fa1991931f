/**
 * The places of the manual that the window links to: pages, with or without one of their headings. A test checks that
 * each of them exists.
 */
export const HELP = {
  manual: 'README',
  workbench: 'workbench/workbench',
  scripts: 'scripting/script-editor',
  preview: 'scripting/script-editor#preview',
  runs: 'scripting/scripts#how-a-run-ends',
  reads: 'scripting/scripts#read-tags-tagvaluemanagergettags-tagscopediagram-tagscopelocation',
  limits: 'scripting/scripts#limits',
  scriptTests: 'scripting/script-tests',
  failures: 'scripting/failures',
  lens: 'scripting/scope-lens',
  capsules: 'scripting/capsules#in-the-window',
  debugging: 'scripting/debugging#in-the-window',
  showValues: 'scripting/debugging#show-values',
  tags: 'plant/tags#the-tags-view-ctrl2',
  qualities: 'plant/tags#qualities',
  writes: 'scripting/scripts#write-tags-tagvaluemanagersettags-tagscopediagram-tagscopelocation',
  erp: 'plant/tags#erp-tags',
  aggregations: 'events/aggregations#in-the-workbench-ctrl3',
  events: 'events/events',
  eventsApi: 'events/events-api',
  mocks: 'scripting/api-mocks',
  apiErrors: 'scripting/api-calls#errors',
  callLog: 'scripting/api-calls#call-log',
  secrets: 'scripting/api-calls#secrets',
  diagrams: 'plant/diagrams',
  search: 'workbench/search',
  why: 'workbench/journal#in-the-window',
  settings: 'operation/settings',
  backups: 'operation/workspace#backups',
  unopened: 'operation/workspace#when-a-workspace-cant-be-opened',
  start: 'operation/troubleshooting#it-does-not-start',
  noEventsApi: 'operation/troubleshooting#the-events-api-does-not-respond',
  askForHelp: 'operation/troubleshooting#ask-for-help',
  troubleshooting: 'operation/troubleshooting',
} as const satisfies Record<string, string>;

export type Help = keyof typeof HELP;
