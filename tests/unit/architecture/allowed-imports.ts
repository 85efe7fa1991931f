/**
 * Which folder may import which: the map of docs/architecture.md as a table. A folder may always import itself. The
 * longest prefix that fits a file is its folder. Type-only imports count. No two wings of `src-main` import each other,
 * directly or indirectly (`import-directions.test.ts`).
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'src-preload/domain': [],
  'src-preload/contract': ['src-preload/domain'],
  'src-preload': ['src-preload/contract'],

  'src-renderer': [
    'src-renderer/frame',
    'src-renderer/transport',
    'src-renderer/client',
    'src-renderer/features',
    'src-renderer/diagram-page',
    'src-renderer/drafted',
    'src-renderer/support',
    'src-renderer/ui',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-renderer/features': [
    'src-renderer/frame',
    'src-renderer/client',
    'src-renderer/diagram-page',
    'src-renderer/drafted',
    'src-renderer/support',
    'src-renderer/ui',
    'src-preload/contract',
    'src-preload/domain',
    'resources',
  ],
  'src-renderer/frame': [
    'src-renderer/client',
    'src-renderer/transport',
    'src-renderer/support',
    'src-renderer/ui',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-renderer/diagram-page': [
    'src-renderer/client',
    'src-renderer/support',
    'src-renderer/ui',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-renderer/drafted': [
    'src-renderer/frame',
    'src-renderer/client',
    'src-renderer/support',
    'src-renderer/ui',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-renderer/client': [
    'src-renderer/transport',
    'src-renderer/support',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-renderer/transport': ['src-renderer/support', 'src-preload/contract', 'src-preload/domain'],
  'src-renderer/ui': ['src-renderer/support', 'src-preload/domain', 'resources/fluent-icons'],
  'src-renderer/support': ['src-preload/domain'],
  'src-renderer/build': ['src-preload/contract'],

  // Entries.
  'src-main/desktop.ts': ['src-main/desktop', 'src-main/workbench.ts', 'src-main/platform'],
  'src-main/headless.ts': ['src-main/cli'],
  'src-main/desktop': [
    'src-main/workbench.ts',
    'src-main/host',
    'src-main/exchange',
    'src-main/workspace/updates',
    'src-main/outbound/secrets/secret-cipher.ts',
    'src-main/rpc',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/cli': [
    'src-main/workbench.ts',
    'src-main/replay.ts',
    'src-main/host',
    'src-main/exchange',
    'src-main/workspace/workspaces',
    // A conformance run of a consumer needs no workspace.
    'src-main/events/api/conformance',
    // A gateway needs none either.
    'src-main/hub/gateway',
    // A command that runs a script starts its host before it loads the workbench.
    'src-main/scripting/sandbox/supervisor/host-command.ts',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/exchange': [
    'src-main/host',
    // What their services check on a save is checked for all files before the first one is imported.
    'src-main/events/rules/check-rule.ts',
    'src-main/outbound/mocks/match-mock.ts',
    'src-main/plant/diagrams/diagram-service.ts',
    'src-main/plant/tags/kinds/value-text.ts',
    'src-main/scripting/scripts/script-rules.ts',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/host': [
    'src-main/workbench.ts',
    'src-main/workspace/diagnostics',
    'src-main/rpc',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],

  // The composition root.
  'src-main/workbench.ts': [
    'src-main/host-processes.ts',
    'src-main/hub/mirror',
    'src-main/workspace',
    'src-main/scripting',
    'src-main/plant',
    'src-main/events',
    'src-main/outbound',
    'src-main/storage',
    'src-main/platform',
    'src-preload/domain',
  ],

  'src-main/host-processes.ts': [
    'src-main/workspace/settings',
    'src-main/scripting/sandbox/supervisor',
    'src-main/storage/plant',
    'src-main/platform',
    'src-preload/domain',
  ],

  // A replay has no workspace: it needs the sandbox, and how API calls are masked.
  'src-main/replay.ts': [
    'src-main/scripting',
    'src-main/outbound/recorded-call.ts',
    'src-main/platform',
    'src-preload/domain',
  ],

  // Services.
  'src-main/workspace': [
    'src-main/scripting',
    'src-main/plant',
    'src-main/events',
    'src-main/outbound',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/scripting': [
    'src-main/scripting/sandbox',
    'src-main/events/rules',
    'src-main/outbound/api-response.ts',
    'src-main/outbound/described-message.ts',
    'src-main/outbound/placeholders.ts',
    // A thread masks long runs.
    'src-main/outbound/recorded-call.ts',
    'src-main/outbound/secrets/long-credentials.ts',
    'src-main/outbound/secrets/masking.ts',
    'src-main/outbound/secrets/run-secrets.ts',
    'src-main/outbound/secrets/secret-mask.ts',
    'src-main/outbound/secrets/secret-numbers.ts',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/plant': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/events': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  // The API accesses events through its own interface, never through the store.
  'src-main/events/api': ['src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  // A hub in PostgreSQL: a site mirrors its events, gateways serve them.
  'src-main/hub/mirror': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/hub/gateway': [
    'src-main/events/api',
    'src-main/storage/hub',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/outbound': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/rpc': ['src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/storage': ['src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/platform': ['src-main/platform/host-pipe/json-bytes.ts', 'src-preload/contract', 'src-preload/domain'],
  // The messages between main and its host processes. Hosts import nothing else of the platform.
  'src-main/platform/host-pipe': ['src-preload/domain'],

  // The sandbox: the guest and its host import the protocol and nothing else of the product.
  'src-main/scripting/sandbox': [
    'src-main/scripting/sandbox/protocol',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/scripting/sandbox/child': [
    'src-main/scripting/sandbox/guest',
    'src-main/scripting/sandbox/protocol',
    'src-main/platform/host-pipe',
    'src-preload/domain',
  ],
  'src-main/scripting/sandbox/guest': [
    'src-main/scripting/sandbox/globals',
    'src-main/scripting/sandbox/protocol',
    'src-main/platform/host-pipe/limits.ts',
    'src-preload/domain',
  ],
  'src-main/scripting/sandbox/protocol': ['src-preload/domain'],
  // Only packages: they run in the realm, next to scripts.
  'src-main/scripting/sandbox/globals': [],
  'src-main/scripting/sandbox/build': ['src-main/scripting/sandbox/globals'],
};

/** Where packages that tie code to a process or a library may be imported. Other packages are allowed everywhere. */
export const ALLOWED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  electron: ['src-main/desktop', 'src-main/desktop.ts', 'src-preload/index.ts'],
  'better-sqlite3': ['src-main/storage'],
  'isolated-vm': ['src-main/scripting/sandbox/child'],
  'core-js-pure': ['src-main/scripting/sandbox/globals'],
  '@exodus/bytes': ['src-main/scripting/sandbox/globals'],
  '@noble/hashes': ['src-main/scripting/sandbox/globals'],
  koffi: ['src-main/platform/os-sandbox'],
  express: ['src-main/events/api', 'src-main/host'],
  'monaco-editor': ['src-renderer/features/scripts'],
  numfmt: ['src-preload/domain/tag'],
  pg: ['src-main/storage/hub'],
  'pg-copy-streams': ['src-main/storage/hub'],
  react: ['src-renderer'],
  undici: ['src-main/outbound'],
  zod: ['src-preload/contract', 'src-main'],
};
