import { workspace } from './001-workspace.ts';
import { erpOutbox } from './002-erp-outbox.ts';
import { aggregations } from './003-aggregations.ts';
import { apiMocksAndSecrets } from './004-api-mocks-and-secrets.ts';
import { writeIntents } from './005-write-intents.ts';
import { coveredSamples } from './006-covered-samples.ts';
import { diagrams } from './007-diagrams.ts';
import { scriptTests } from './008-script-tests.ts';
import { savedBy } from './009-saved-by.ts';
import { runContexts } from './010-run-contexts.ts';
import { eventsByBlock } from './011-events-by-block.ts';
import { lastResultIds } from './012-last-result-ids.ts';
import { sealedSettings } from './013-sealed-settings.ts';
import { overrideTimes } from './014-override-times.ts';
import { namedContexts } from './015-named-contexts.ts';
import { mockSequences } from './016-mock-sequences.ts';
import { tagFormats } from './017-tag-formats.ts';
import { eventChanges } from './018-event-changes.ts';
import { deletedScripts } from './019-deleted-scripts.ts';
import { journal } from './from-020/020-journal.ts';
import { webhooks } from './from-020/021-webhooks.ts';
import { hub } from './from-020/022-hub.ts';
import { hiddenValues } from './from-020/023-hidden-values.ts';
import { hiddenPlaces } from './from-020/024-hidden-places.ts';

/** One step of the schema. Steps are numbered from 1 without gaps and never change once released. */
export interface Migration {
  name: string;
  sql: string;
}

/** The steps of `workspace.db`; its `user_version` is the number of applied ones. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'workspace', sql: workspace },
  { name: 'erp-outbox', sql: erpOutbox },
  { name: 'aggregations', sql: aggregations },
  { name: 'api-mocks-and-secrets', sql: apiMocksAndSecrets },
  { name: 'write-intents', sql: writeIntents },
  { name: 'covered-samples', sql: coveredSamples },
  { name: 'diagrams', sql: diagrams },
  { name: 'script-tests', sql: scriptTests },
  { name: 'saved-by', sql: savedBy },
  { name: 'run-contexts', sql: runContexts },
  { name: 'events-by-block', sql: eventsByBlock },
  { name: 'last-result-ids', sql: lastResultIds },
  { name: 'sealed-settings', sql: sealedSettings },
  { name: 'override-times', sql: overrideTimes },
  { name: 'named-contexts', sql: namedContexts },
  { name: 'mock-sequences', sql: mockSequences },
  { name: 'tag-formats', sql: tagFormats },
  { name: 'event-changes', sql: eventChanges },
  { name: 'deleted-scripts', sql: deletedScripts },
  { name: 'journal', sql: journal },
  { name: 'webhooks', sql: webhooks },
  { name: 'hub', sql: hub },
  { name: 'hidden-values', sql: hiddenValues },
  { name: 'hidden-places', sql: hiddenPlaces },
];

/** `schemaHash` of a workspace with all of them. A new step changes it; a test says what it is then. */
export const SCHEMA_HASH = '6c1c662ea63bdd6bc4ddb47f3d7270d3d58798a93b679c640fa1bd34017f4b07';
