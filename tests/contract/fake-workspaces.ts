import type { Services } from '../../src-main/rpc/services.ts';

/** Two workspaces, one of them deleted. New ones and copies exist in memory only. */
export function fakeWorkspaces(): Pick<Services, 'workspaces'> {
  const openedAt = '2026-01-02T03:04:05.678Z';
  return {
    workspaces: {
      recent: () => [
        { directory: '/plants/north', openedAt, state: 'there' },
        { directory: '/plants/south', openedAt, state: 'gone' },
      ],
      create: ({ directory }) => ({ directory }),
      copy: ({ directory, withSecrets }) => ({ directory, bytes: 4_096, mockFiles: 1, secretsKey: withSecrets }),
    },
  };
}
