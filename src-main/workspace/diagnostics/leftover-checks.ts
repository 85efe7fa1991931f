import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { counted, listText, notChecked, ok, problem, warning } from './check.ts';

/** While an instance runs, younger files may belong to its current work, ms. */
const IN_PROGRESS_MS = 60 * 60_000;
/** Files that exist in the workspace during an operation, and afterwards only if it was interrupted. */
const UNFINISHED = [
  /^workspace\.db\.(?:restored|new|partial)/,
  /^instance\.json\.new$/,
  /^being-made\.tmp$/,
  /^sample\.unfinished$/,
  /\.\d+\.new$/,
  /^backups[/\\].*\.partial/,
  /^mock-files[/\\].*\.new$/,
];

/** Leftovers of killed processes. */
export const LEFTOVER_CHECKS: readonly Check[] = [
  { id: 'leftovers.lock', group: 'Left-overs', title: 'Instance lock', run: lock },
  { id: 'leftovers.files', group: 'Left-overs', title: 'Unfinished files', run: files },
  { id: 'leftovers.writes', group: 'Left-overs', title: 'Unfinished writes', run: writes },
];

function lock({ lock: found, silent, instance, workspace }: CheckInput): DiagnosticFinding {
  const { held, details, alive, foreign } = found;
  if (foreign) {
    return problem(
      `"${join(workspace, 'instance.lock')}" is not a lock file, so no instance can start`,
      'Delete that file.',
    );
  }
  if (held && details && alive) {
    if (silent) {
      return problem(
        `pid ${details.pid} has held the workspace since ${details.startedAt} and does not respond at ${details.url}`,
        'Stop that process and restart Tagwright.',
      );
    }
    const who = instance ? 'this instance' : 'a running instance';
    const serves = details.url === null ? ', which accepts no clients yet' : '';
    return ok(`held by ${who}, pid ${details.pid}, since ${details.startedAt}${serves}`);
  }
  if (held) {
    return problem(
      'instance.lock is held by a program that is not an instance of Tagwright, so no instance can start',
      'Close the program that has the workspace open: a backup program, a database tool, or a hanging command of Tagwright.',
    );
  }
  if (!details) return ok('no instance holds the workspace');
  return warning(
    alive
      ? `instance.json names pid ${details.pid}, which is another program now: that instance was killed`
      : `instance.json names pid ${details.pid}, which has ended without closing the workspace (killed, crash or power failure)`,
    'Start Tagwright once on the workspace: it recovers interrupted work and removes the file.',
  );
}

function files({ workspace, lock: { held }, now }: CheckInput): DiagnosticFinding {
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    return notChecked('the folder does not exist yet');
  const found = ['', 'backups', 'mock-files']
    .flatMap((folder) => namesIn(join(workspace, folder)).map((name) => join(folder, name)))
    .filter((name) => UNFINISHED.some((pattern) => pattern.test(name)))
    .filter((name) => {
      const stats = statSync(join(workspace, name), { throwIfNoEntry: false });
      return stats !== undefined && (!held || now - stats.mtimeMs > IN_PROGRESS_MS);
    });
  if (found.length === 0) return ok('none');
  return warning(
    `${counted(found.length, 'file')} of interrupted work: ${listText(found)}`,
    held
      ? 'Stop Tagwright, then delete them.'
      : 'Start Tagwright once on the workspace, which finishes or removes most; you can delete the rest.',
  );
}

/** Interrupted write sets over both databases. */
function writes({ facts, lock: { held }, now }: CheckInput): DiagnosticFinding {
  if (facts === null) return notChecked('workspace.db does not exist');
  if (facts instanceof Error) return notChecked('workspace.db cannot be read, see Databases');
  const { intents, oldestIntent } = facts;
  const old = oldestIntent !== null && now - Date.parse(oldestIntent) > IN_PROGRESS_MS;
  if (intents === 0 || (held && !old)) return ok('none');
  return warning(
    `${counted(intents, 'write')} over workspace.db and plant.db interrupted${oldestIntent === null ? '' : `, the oldest of ${oldestIntent}`}`,
    'Start Tagwright on the workspace before anything else writes to plant.db: it finishes or undoes them.',
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
