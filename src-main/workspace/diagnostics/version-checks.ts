import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { release, type } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { hostRuntime } from '../../platform/files/paths.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { notChecked, ok, problem, warning } from './check.ts';

const run = promisify(execFile);
const WITHIN_MS = 20_000;
const REINSTALL = 'Run "npm ci" in the folder of Tagwright, or reinstall it.';
const versionsShape = z.object({ node: z.string(), sqlite: z.string() });

/** The installed versions, and whether they work on this machine. */
export const VERSION_CHECKS: readonly Check[] = [
  {
    id: 'version.tagwright',
    group: 'Versions',
    title: 'Tagwright',
    run: ({ version }) => ok(`${version} on ${type()} ${release()}, ${process.arch}`),
  },
  { id: 'version.node', group: 'Versions', title: 'Node', run: nodeVersion },
  { id: 'version.sqlite', group: 'Versions', title: 'SQLite', run: sqliteVersion },
  { id: 'version.electron', group: 'Versions', title: 'Electron', run: electronVersion },
  { id: 'version.workspace', group: 'Versions', title: 'Workspace format', run: workspaceVersion },
];

/** Starts the Node that runs scripts and SQL: a binary for another system exists but does not run. */
async function nodeVersion({ root, signal }: CheckInput): Promise<DiagnosticFinding> {
  let node: string;
  try {
    node = hostRuntime(root).node;
  } catch (thrown) {
    return problem(messageOf(thrown), REINSTALL);
  }
  try {
    const options = { timeout: WITHIN_MS, windowsHide: true, signal };
    const { stdout } = await run(node, ['-p', 'JSON.stringify(process.versions)'], options);
    const found = versionsShape.parse(JSON.parse(stdout));
    return ok(`${found.node} with SQLite ${found.sqlite}, ${node}`);
  } catch (thrown) {
    return problem(`"${node}" does not run: ${messageOf(thrown).split('\n')[0]}`, REINSTALL);
  }
}

/** The library for the workspace is native: it is loaded here, and only here, by a check that can fail. */
async function sqliteVersion(): Promise<DiagnosticFinding> {
  try {
    const { sqliteVersionOfStorage } = await import('../../storage/database-check.ts');
    return ok(`${sqliteVersionOfStorage()} (better-sqlite3)`);
  } catch (thrown) {
    return problem(`better-sqlite3 does not load: ${messageOf(thrown).split('\n')[0]}`, REINSTALL);
  }
}

/** The desktop window is optional: without Electron the workbench opens in the browser. */
function electronVersion({ root }: CheckInput): DiagnosticFinding {
  const own = process.versions['electron'];
  if (own !== undefined) return ok(`${own}, in use`);
  const folder = join(root, 'node_modules', 'electron');
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return ok('not part of this installation; the workbench opens in the browser');
  const version = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
  const fetched = existsSync(join(folder, 'path.txt')) && existsSync(join(folder, 'dist'));
  return ok(fetched ? version : `${version} is not downloaded; the workbench opens in the browser until it is`);
}

function workspaceVersion({ facts, workspace }: CheckInput): DiagnosticFinding {
  if (facts === null) {
    return warning(
      `The folder "${workspace}" has no workspace; the next start creates one`,
      'If yours is elsewhere, set its folder with -w.',
    );
  }
  if (facts instanceof TagwrightError && facts.code === 'WORKSPACE_NEWER') {
    return problem(
      `The workspace has schema ${Number(facts.data['schema'])}; this version knows ${Number(facts.data['known'])}`,
      'Update Tagwright, or choose another workspace with -w.',
    );
  }
  if (facts instanceof Error) return notChecked('workspace.db cannot be read, see Databases');
  const { schema, known } = facts;
  return ok(
    schema === known
      ? `schema ${schema}`
      : `schema ${schema}; the next start updates it to ${known}, after a backup copy`,
  );
}
