import { hostRuntime, productRoot } from '../../../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../../../src-main/platform/files/programs.ts';
import { PlantDatabase } from '../../../../../src-main/storage/plant/plant-database.ts';
import { openWorkspaceStore } from '../../../../../src-main/storage/workspace/workspace-store.ts';

/** Both databases of the workspace in this folder, for a process that a test kills. */
export function openPlant(directory: string) {
  const root = productRoot();
  const settings = { 'db.statementMs': 5_000, 'db.maxRows': 10_000 };
  const store = openWorkspaceStore(directory);
  const plant = new PlantDatabase({
    directory,
    nodeBinary: hostRuntime(root).node,
    hostFile: programFile('plant-host', root),
    settings: { get: () => settings },
  });
  return { store, plant };
}
