/**
 * Which folder may import which: the map of docs/architecture.md as a table. A folder may always import itself.
 * The longest prefix that fits a file is its folder. Type-only imports count.
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'src-preload/domain': [],
  'src-preload/contract': ['src-preload/domain'],
  'src-preload': ['src-preload/contract'],

  'src-renderer': ['src-renderer/ui', 'src-preload/contract', 'src-preload/domain', 'resources'],
  'src-renderer/ui': ['src-preload/domain'],

  // Entries, hosts and what they share.
  'src-main/desktop.ts': ['src-main/desktop', 'src-main/workbench.ts', 'src-main/platform'],
  'src-main/headless.ts': ['src-main/headless', 'src-main/platform'],
  'src-main/workbench.ts': [
    'src-main/aggregation',
    'src-main/app',
    'src-main/diagrams',
    'src-main/events',
    'src-main/events-api',
    'src-main/erp',
    'src-main/outbound',
    'src-main/rpc',
    'src-main/runs',
    'src-main/sandbox',
    'src-main/sample',
    'src-main/script-tests',
    'src-main/scripts',
    'src-main/settings',
    'src-main/storage',
    'src-main/tags',
    'src-main/usage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/desktop': [
    'src-main/outbound/secrets/secret-cipher.ts',
    'src-main/headless',
    'src-main/rpc',
    'src-main/workbench.ts',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/headless': [
    'src-main/rpc',
    'src-main/workbench.ts',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/rpc': ['src-main/platform', 'src-preload/contract', 'src-preload/domain'],

  // Services.
  'src-main/events-api': ['src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/events': ['src-main/storage', 'src-main/platform', 'src-preload/domain'],
  'src-main/aggregation': [
    'src-main/events',
    'src-main/sandbox',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/app': ['src-main/sandbox', 'src-main/platform', 'src-preload/domain'],
  'src-main/diagrams': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/erp': ['src-main/storage', 'src-main/platform', 'src-preload/domain'],
  'src-main/outbound': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/runs': ['src-main/sandbox', 'src-main/platform', 'src-preload/domain'],
  'src-main/script-tests': [
    'src-main/aggregation',
    'src-main/runs',
    'src-main/storage',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/sample': [
    'src-main/outbound/mocks/mock-service.ts',
    'src-main/aggregation',
    'src-main/diagrams',
    'src-main/script-tests',
    'src-main/scripts',
    'src-main/tags',
    'src-main/platform',
    'src-preload/contract',
    'src-preload/domain',
  ],
  'src-main/scripts': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/settings': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/tags': ['src-main/storage', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/usage': ['src-main/platform', 'src-preload/domain'],
  'src-main/storage': ['src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/platform': ['src-preload/contract', 'src-preload/domain'],

  // The sandbox: the guest and its host know the protocol and nothing else of the product.
  'src-main/sandbox': ['src-main/sandbox/protocol', 'src-main/platform', 'src-preload/contract', 'src-preload/domain'],
  'src-main/sandbox/child': ['src-main/sandbox/guest', 'src-main/sandbox/protocol', 'src-preload/domain'],
  'src-main/sandbox/guest': ['src-main/sandbox/protocol', 'src-preload/domain'],
  'src-main/sandbox/protocol': ['src-preload/domain'],
  'src-main/sandbox/build': [],
};

/** Where packages that tie code to a process or a library may be imported; other packages are free. */
export const ALLOWED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  electron: ['src-main/desktop', 'src-main/desktop.ts', 'src-preload/index.ts'],
  'better-sqlite3': ['src-main/storage'],
  'isolated-vm': ['src-main/sandbox/child'],
  express: ['src-main/events-api', 'src-main/headless'],
  'monaco-editor': ['src-renderer/features/scripts'],
  react: ['src-renderer'],
  undici: ['src-main/outbound'],
  zod: ['src-preload/contract', 'src-main'],
};
