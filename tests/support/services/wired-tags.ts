import type { WorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { loadSchemaCompiler } from '../../../src-main/plant/tags/kinds/erp.ts';
import { TagService } from '../../../src-main/plant/tags/tag-service.ts';

await loadSchemaCompiler();

type Parts = ConstructorParameters<typeof TagService>[0];

/** A log for the assertions of a test. */
export function keptLog() {
  const logged: string[] = [];
  const log = (where: string, fault: unknown): void => void logged.push(`${where}: ${String(fault)}`);
  return { log, logged };
}

/** A tag service over a store, wired as in the product. `parts` replaces or adds parts; `reopen` recreates it. */
export function tagsOver(store: WorkspaceStore, parts: Partial<Parts> = {}) {
  const { log, logged } = keptLog();
  const reopen = () => new TagService({ ...store, log, ...parts });
  return { tags: reopen(), reopen, log, logged };
}
