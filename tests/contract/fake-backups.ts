import type { BackupInfo } from '#domain/backup';
import type { Services } from '../../src-main/rpc/services.ts';

const NAME = 'workspace-20260102T030405678Z-manual.db';
const BACKUP: BackupInfo = { name: NAME, sort: 'manual', madeAt: '2026-01-02T03:04:05.678Z', bytes: 4_096 };

/** One backup that is there, and makes another that looks the same. */
export function fakeBackups(): Pick<Services, 'backups'> {
  return { backups: { list: () => [BACKUP], create: () => ({ ...BACKUP }) } };
}
