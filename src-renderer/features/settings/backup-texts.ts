import type { BackupInfo } from '#domain/workspace/backup';

/** The reason for a backup. */
export const SORTS: Readonly<Record<BackupInfo['sort'], string>> = {
  regular: 'daily',
  schema: 'before an update',
  manual: 'manual',
};

export const sizeOf = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
