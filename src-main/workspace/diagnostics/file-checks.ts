import { accessSync, constants, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { exposedFiles } from '../../platform/files/private-files.ts';
import { codeOf } from '../../storage/storage-error.ts';
import type { Check, DiagnosticFinding, CheckInput } from './check.ts';
import { counted, listText, notChecked, ok, problem } from './check.ts';

/** Who may read and write the workspace. */
export const FILE_CHECKS: readonly Check[] = [
  { id: 'files.access', group: 'Files', title: 'Access', run: access },
  { id: 'files.permissions', group: 'Files', title: 'Permissions', run: permissions },
];

/** Whether this user has the permissions that Tagwright needs. */
function access({ workspace }: CheckInput): DiagnosticFinding {
  const stats = statSync(workspace, { throwIfNoEntry: false });
  if (!stats) return notChecked('the folder does not exist yet');
  if (!stats.isDirectory()) return problem(`"${workspace}" is a file`, 'Name a folder with -w.');
  const needed = ['', 'workspace.db', 'plant.db', 'logs', 'backups', 'secrets.key'].map((name) =>
    join(workspace, name),
  );
  const refused = needed.flatMap((path) => {
    const code = refusalOf(path);
    return code === null ? [] : [{ path, code }];
  });
  const [first] = refused;
  if (!first) return ok(`this user can read and write "${workspace}"`);
  if (refused.some(({ code }) => code === 'EROFS')) {
    return problem(
      `"${workspace}" is on a file system that is mounted read-only`,
      'Remount it for writing (after a disk error: check the disk first), or use another folder.',
    );
  }
  const names = listText(refused.map(({ path }) => relative(workspace, path) || 'the folder itself'));
  return problem(
    `this user cannot read or write: ${names}`,
    `Give the files to your user: chown -R "$USER" "${workspace}"`,
  );
}

function refusalOf(path: string): string | null {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (thrown) {
    return codeOf(thrown) === 'ENOENT' ? null : codeOf(thrown);
  }
}

/** Whether other users of this machine can read the workspace: values, keys, the token of the instance. */
function permissions({ workspace }: CheckInput): DiagnosticFinding {
  if (process.platform === 'win32') {
    return notChecked(
      'on Windows, files inherit the rights of their folder; other users cannot open files in your profile',
    );
  }
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    return notChecked('the folder does not exist yet');
  const exposed = exposedFiles(workspace);
  if (exposed.length === 0) return ok('only you can use the files of the workspace');
  const names = listText(exposed.map(({ path, mode }) => `${relative(workspace, path)} (${mode.toString(8)})`));
  return problem(
    `other users of this machine can use ${counted(exposed.length, 'file')}: ${names}`,
    `Start Tagwright once as the owner of the files, which removes these rights, or: chmod -R go-rwx "${workspace}"`,
  );
}
