import { spawnSync } from 'node:child_process';
import { problemOfSubject } from './support/run/commit-subject.ts';

/**
 * Checks the subjects of the commits that the main branch does not have. On the main branch, and in a clone without its
 * history, only the last commit is checked: older ones are published, so nobody can reword them.
 */
function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

const base = ['main', 'origin/main'].map((branch) => git('merge-base', branch, 'HEAD')).find((found) => found !== null);
const isAhead = base !== undefined && base !== git('rev-parse', 'HEAD');
const log = git('log', '--no-merges', '--format=%h %s', ...(isAhead ? [`${base}..HEAD`] : ['-1']));
// A folder without Git, such as an unpacked archive, has no commits to check.
const problems = (log ?? '').split('\n').flatMap((line) => {
  const [, hash = '', subject = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
  const problem = hash === '' ? null : problemOfSubject(subject);
  return problem === null ? [] : [`${hash} ${subject}\n    ${problem}`];
});
if (problems.length > 0) {
  console.error(`${problems.join('\n')}\nReword them with "git rebase -i" (CONTRIBUTING.md, "Commits").`);
  process.exitCode = 1;
}
