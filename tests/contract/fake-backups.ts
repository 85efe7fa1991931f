import type { BackupInfo } from '#domain/workspace/backup';
import { TagwrightError } from '../../src-main/platform/errors.ts';
import type { Services } from '../../src-main/rpc/services.ts';

const NAME = 'workspace-20260102T030405678Z-manual.db';
const BACKUP: BackupInfo = { name: NAME, sort: 'manual', madeAt: '2026-01-02T03:04:05.678Z', bytes: 4_096 };

const HOLDS = { scripts: 3, tests: 1, tags: 40, rules: 2, events: 500, mocks: 4, diagrams: 1, drafts: 0 };

/** One existing backup; creating another returns the same description. */
export function fakeBackups(): Pick<Services, 'backups'> {
  const there = (name: string) => {
    if (name === NAME) return { ...BACKUP };
    throw new TagwrightError('NOT_FOUND', `There is no backup "${name}". There are: ${NAME}.`);
  };
  return {
    backups: {
      list: () => [BACKUP],
      create: () => ({ ...BACKUP }),
      contents: ({ name }) => ({ backup: there(name), holds: HOLDS, now: { ...HOLDS, drafts: 2 } }),
      restore: ({ name }) => there(name),
    },
  };
}
