import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { SITE_NAME } from '#domain/event/hub';
import { API_MODES } from '#domain/mock/api-call';
import { problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { LOG_FORMATS } from '#domain/workspace/settings';
import { procedure } from './procedure.ts';

const HOST = /^(?:\*\.)?(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/iu;
const host = z.string().max(300).regex(HOST, 'Expected a host: example.com, *.example.com, example.com:8443 or [::1]');
const hosts = z.array(host).max(200);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'Expected the name of a header, such as X-API-Key');

/** The settings of API calls with their ranges. */
const apiSettings = {
  'api.mode': z.enum(API_MODES),
  'api.record': z.boolean(),
  'api.recordFolder': z
    .string()
    .overwrite(tidyFolder)
    .superRefine((text, context) => {
      const message = text === '' ? null : problemOfFolder(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  'api.recordHeaders': z.array(headerName).max(50),
  'api.recordSequences': z.boolean(),
  'api.timeoutMs': z.int().min(10).max(3_600_000),
  'api.maxRedirects': z.int().min(0).max(20),
  'api.maxResponseMb': z.int().min(1).max(256),
  'api.allowedHosts': hosts,
  'api.allowOwnPorts': z.boolean(),
  'api.caFiles': z.array(z.string().min(1).max(4_096)).max(50),
  'api.proxy': z
    .string()
    .max(2_000)
    .regex(/^(?:https?:\/\/[^\s/?#]+\/?)?$/, 'Expected http://host:port, or "" for none'),
  'api.noProxy': hosts,
  'api.keyHeader': headerName,
  'api.keyHeaders': z.record(host, headerName),
};

/** The settings with their ranges. */
export const settingsShape = z.object({
  'limits.scriptMs': z.int().min(10).max(3_600_000),
  'limits.totalMs': z.int().min(10).max(86_400_000),
  'limits.liveMs': z.int().min(10).max(60_000),
  'limits.memoryMb': z.int().min(16).max(4_096),
  'limits.consoleEntries': z.int().min(0).max(100_000),
  'limits.resultMb': z.int().min(1).max(256),
  'limits.nesting': z.int().min(0).max(32),
  'limits.valuesMb': z.int().min(1).max(65_536),
  'limits.erpRecords': z.int().min(1).max(1_000_000_000),
  'debug.pausedMinutes': z.int().min(1).max(1_440),
  'hosts.count': z.int().min(1).max(16),
  'hosts.waiting': z.int().min(0).max(200),
  'hosts.waitingMb': z.int().min(0).max(1_048_576),
  'hosts.jitless': z.boolean(),
  'hosts.requireOsSandbox': z.boolean(),
  ...apiSettings,
  'db.statementMs': z.int().min(50).max(600_000),
  'db.maxRows': z.int().min(1).max(1_000_000),
  'retention.eventDays': z.int().min(0).max(36_500),
  'retention.events': z.int().min(0).max(1_000_000_000),
  'retention.changeDays': z.int().min(0).max(36_500),
  'retention.changes': z.int().min(0).max(1_000_000_000),
  'retention.sampleHours': z.int().min(0).max(876_000),
  'retention.samples': z.int().min(0).max(1_000_000_000),
  'journal.megabytes': z.int().min(0).max(10_000),
  'journal.days': z.int().min(0).max(36_500),
  'events.enabled': z.boolean(),
  'events.port': z.int().min(0).max(65_535),
  'events.apiKey': z
    .string()
    .regex(/^(?:[!-~]{8,200}|\(set\))?$/, 'Expected 8 to 200 characters of ASCII without spaces, or "" for no key'),
  'hub.url': z
    .string()
    .max(2_000)
    .regex(
      /^(?:postgres(?:ql)?:\/\/[^\s/]\S*)?$/,
      'Expected postgres://USER:PASSWORD@HOST:5432/DATABASE, or "" for none',
    ),
  'hub.site': z
    .string()
    .regex(SITE_NAME, 'Expected 1 to 48 lower-case letters, digits and inner hyphens, or "" for none')
    .or(z.literal('')),
  'log.format': z.enum(LOG_FORMATS),
  'ui.sessionHours': z.int().min(1).max(8_760),
  'ui.linkMinutes': z.int().min(1).max(43_200),
  'desktop.openAtLogin': z.boolean(),
  'updates.check': z.boolean(),
  'updates.feed': z
    .string()
    .max(2_000)
    .regex(/^(?:https?:\/\/\S+)?$/, 'Expected the address of a JSON file, https://…, or "" for none'),
});

export const settings = {
  get: procedure.read.output(settingsShape),
  update: procedure.write.input(settingsShape.partial()).output(settingsShape),
  /** Resets to the defaults, and so to new ones of a later version. */
  reset: procedure.write.input(z.object({ keys: z.array(settingsShape.keyof()) })).output(settingsShape),
  /** Sent when settings change, with their names: clients read them again. */
  changes: procedure.changes.output(eventIterator(z.object({ keys: z.array(z.string()) }))),
};
