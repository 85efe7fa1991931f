import { useEffect, useRef } from 'react';
import { parentOfFolder } from '#domain/mock/mock-folder';
import { useStore } from '../../../support/store.ts';
import type { FolderRow } from '../model/folder-rows.ts';
import type { MockListRow } from '../model/list-rows.ts';
import type { MocksModel } from '../model/mocks-model.ts';

/**
 * Expands the folders around the selected mock or folder when another one is selected, or when it moves. Once: they can
 * be collapsed again.
 */
export function useRevealed(
  model: Pick<MocksModel, 'store' | 'fold'>,
  chosen: MockListRow | null,
  folder: FolderRow | null,
): void {
  const folded = useStore(model.store, (state) => state.folded);
  const key = chosen?.key ?? folder?.key ?? null;
  const place = chosen ? chosen.folder : parentOfFolder(folder?.path ?? '');
  const shown = useRef<{ key: string | null; place: string }>({ key: null, place: '' });
  useEffect(() => {
    const before = shown.current;
    shown.current = { key, place };
    if (before.key === key && before.place === place) return;
    const around = foldersAround(place).filter((path) => folded.has(path));
    if (around.length > 0) model.fold(around, false);
  }, [model, folded, key, place]);
}

/** A folder, and all folders around it. */
function foldersAround(path: string): string[] {
  return path === '' ? [] : [...foldersAround(parentOfFolder(path)), path];
}
