import { hostname } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Diagnosis } from '#domain/workspace/diagnosis';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import {
  scrubLine,
  scrubber,
  shownSettings,
  supportFile,
} from '../../../../src-main/workspace/diagnostics/support-file.ts';
import { SecretMask } from '../../../../src-main/outbound/secrets/secret-mask.ts';
import type { WorkspaceFacts } from '../../../../src-main/storage/workspace/examination/examine.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const VAULT = 'vault-"S3cret"/ü';
const KEY = 'k3yOfTheEventsApi';
const PASSWORD = 'p%40ssOfTheProxy';

const FACTS: WorkspaceFacts = {
  schema: 12,
  known: 13,
  contents: { scripts: 3, tests: 1, tags: 40, rules: 2, events: 500, mocks: 4, diagrams: 1, drafts: 0 },
  secrets: 7,
  // As stored by a version before sealed settings.
  settings: [
    ['events.apiKey', JSON.stringify(KEY)],
    ['api.proxy', JSON.stringify(`http://plant:${PASSWORD}@proxy.acme.example:3128`)],
    ['api.allowedHosts', '["erp.acme.example"]'],
    ['api.caFiles', '["/srv/acme/root.pem","/srv/acme/other.pem"]'],
    ['updates.feed', '"https://acme.example/feed?token=feedT0ken"'],
    ['api.keyHeader', '"X-Acme-Key"'],
    ['hosts.count', '4'],
  ],
  intents: 0,
  oldestIntent: null,
  newest: null,
};

const NEVER = [
  'S3cret',
  Buffer.from(VAULT).toString('base64').slice(4, 16),
  KEY,
  PASSWORD,
  'p@ssOfTheProxy',
  'feedT0ken',
  'acme',
  'Acme',
  'Bottling',
  'Fill level',
  '4711.5',
  'T0kenOfAnInstance',
];

test('contains no secret, no value and no name of the plant', () => {
  const workspace = join(temporaryFolder(), 'acme-plant');
  mkdirSync(join(workspace, 'logs'), { recursive: true });
  const at = '2026-03-01T12:00:00.000Z';
  const lines = [
    `${at} error the tag Bottling.Line1.Filler.TankLevel.Value failed on ${hostname()}`,
    `${at} error "Fill level" of "Bottling.Line1" has "4711.5"`,
    `${at} warn  API call failed {"address":"https://erp.acme.example/x?key=1","thrown":"Error: connect erp.acme.example:443\\n    at open (${workspace}/x.ts:1:2)"}`,
    `${at} warn  said ${VAULT} and ${encodeURIComponent(VAULT)} and ${Buffer.from(`u:${VAULT}`).toString('base64')}`,
    `${at} warn  the key was ${KEY}, the proxy http://plant:${PASSWORD}@proxy.acme.example:3128, or p@ssOfTheProxy`,
    `${at} warn  token=T0kenOfAnInstance Authorization: Bearer T0kenOfAnInstance`,
    `${at} warn  open /srv/acme/root.pem: no such file {"files":["/srv/acme/root.pem"],"Bottling.Line1.A.B":{"a":["\\"4711.5\\""]}}`,
    `not a line of the log "4711.5"`,
    `{"time":"${at}","level":"warn","event":"host.ended","message":"tag \\"Fill level\\" of Bottling.Line1.A.B","fields":{"why":"\\"4711.5\\" ${KEY}"}}`,
    `${at} error cut off {"thrown":"Error: \\"acme\\" and \\"4711.5…`,
    `${at} warn  repeated {"why":"\\"acme\\""} (3 times more since it was said last)`,
    '{"no":"line of the log, but T0kenOfAnInstance=\\"acme\\""}',
  ];
  writeFileSync(join(workspace, 'logs', 'tagwright.log'), `${lines.join('\n')}\n`);
  const diagnosis: Diagnosis = {
    format: 1,
    madeAt: at,
    version: '0.1.0',
    workspace,
    full: false,
    state: 'problem',
    checks: [
      {
        id: 'settings.certificates',
        group: 'Settings',
        title: 'Certificates',
        state: 'problem',
        detail: `setting api.caFiles: "/srv/acme/root.pem" cannot be read; see ${workspace}/logs and "${workspace}/x y"`,
        fix: 'Stop that program, or use another port: tagwright settings set events.port=4870',
      },
    ],
  };
  const { name, text } = supportFile({ diagnosis, facts: FACTS, workspace, root: '/opt/tagwright', secrets: [VAULT] });
  expect(NEVER.filter((never) => text.includes(never))).toEqual([]);
  expect(name).toBe('tagwright-support-20260301T120000Z.json');
  const content = JSON.parse(text);
  expect(content).toMatchObject({
    diagnosis: {
      workspace: '<workspace>',
      checks: [
        {
          detail: 'setting api.caFiles: "…" cannot be read; see <workspace>/logs and "<workspace>/x y"',
          fix: 'Stop that program, or use another port: tagwright settings set events.port=4870',
        },
      ],
    },
    settings: { 'hosts.count': 4, 'api.proxy': 'set', 'api.allowedHosts': 'set, 1 entry', 'events.apiKey': 'set' },
    counts: { tags: 40, secrets: 7 },
  });
  expect(content.log).toHaveLength(lines.length);
  // It still shows what failed, where in the program, and when.
  expect(content.log[0]).toBe(`${at} error the tag <name> failed on <host>`);
  expect(JSON.parse(content.log[8])).toEqual({
    time: at,
    level: 'warn',
    event: 'host.ended',
    message: 'tag "…" of <name>',
    fields: { why: '"…" ***' },
  });
  expect(content.log.slice(9)).toEqual([
    `${at} error cut off <omitted>`,
    `${at} warn  repeated {"why":"\\"…\\""} (3 times more since it was said last)`,
    '<omitted>',
  ]);
  expect(content.log[2]).toContain('at open (<workspace>/x.ts:1:2)');
});

test('shows numbers and switches, and whether other settings are set', () => {
  expect(shownSettings(DEFAULT_SETTINGS)).toMatchObject({
    'limits.scriptMs': 5_000,
    'events.enabled': true,
    'api.mode': 'mockFirst',
    'api.keyHeader': 'X-API-Key',
    'events.apiKey': 'not set',
    'api.proxy': 'not set',
  });
  const set = { ...DEFAULT_SETTINGS, 'api.keyHeaders': { 'erp.acme.example': 'X' }, 'events.apiKey': '(set)' };
  expect(shownSettings(set)).toMatchObject({ 'api.keyHeaders': 'set, 1 entry', 'events.apiKey': 'set' });
});

test('keeps everything except names: versions, ports, times and program paths', () => {
  const scrub = scrubber(new SecretMask([]), { workspace: '/w/plant', root: '/opt/tagwright' });
  const kept = [
    '26.10.0 with SQLite 3.53.4, <tagwright>/node_modules/node/bin/node',
    '0.1.0 on Linux 6.18.44-fc-v669, x64',
    'listens at http://127.0.0.1:4860',
    '2026-03-01T12:00:00.000Z, later than everything in the workspace',
    '77 GB free in /tmp; a file was written',
  ];
  expect(kept.map(scrub)).toEqual(kept);
  expect(scrubLine('2026-03-01T12:00:00.000Z info  started {"event":"start","pid":12}', scrub)).toBe(
    '2026-03-01T12:00:00.000Z info  started {"event":"start","pid":12}',
  );
});
