import type { BackupInfo } from '#domain/workspace/backup';

/** Why a backup was made. */
export const SORTS: Readonly<Record<BackupInfo['sort'], string>> = {
  regular: 'daily',
  schema: 'before an update',
  manual: 'made by hand',
};

export const sizeOf = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
