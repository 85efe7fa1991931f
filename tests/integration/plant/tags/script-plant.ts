import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#domain/text/json';
import type { RunContext, RunReport } from '#domain/run/run';
import type { TagDefinition, TagKind, TagType } from '#domain/tag/tag';
import { hostRuntime, productRoot } from '../../../../src-main/platform/files/paths.ts';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import { RunService } from '../../../../src-main/scripting/runs/run-service.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { ScriptLibrary } from '../../../../src-main/scripting/scripts/script-library.ts';
import { SettingsService } from '../../../../src-main/workspace/settings/settings-service.ts';
import type { TagService } from '../../../../src-main/plant/tags/tag-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';

export interface ScriptPlant {
  tags: TagService;
  scripts: ScriptLibrary;
  runs: RunService;
  settings: SettingsService;
  hosts: ScriptHostPool;
  logged: string[];
  /** Saves a script in the group "Test". */
  script(name: string, body: string): Promise<number>;
  /** Saves a tag. */
  tag(path: string, kind: TagKind, type: TagType, settings?: JsonObject): Promise<void>;
  /** Saves a script tag whose scripts have these bodies. */
  scriptTag(path: string, bodies: { read?: string; write?: string }, type?: TagType): Promise<void>;
  run(
    body: string,
    options?: { dryRun?: boolean; signal?: AbortSignal; context?: Partial<RunContext> },
  ): Promise<RunReport>;
  /** The service over the same store, as after a restart. */
  reopen(): TagService;
  close(): Promise<void>;
}

const quiet = () => undefined;
const CONTEXT: RunContext = { tagName: 'Plant.Outer.Value', tagScopeDiagram: null, tagScopeLocation: null };

/** An empty workspace with everything that script tags need, including real script hosts. */
export async function scriptPlant({ count = 2, spare = true } = {}): Promise<ScriptPlant> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-nested-'));
  const store = openStore(directory);
  const { node } = hostRuntime(productRoot());
  const hosts = new ScriptHostPool({ hostFile: TEST_SCRIPT_HOST, nodeBinary: node, count, spare });
  hosts.start();
  const settings = new SettingsService(
    store,
    { debug: quiet, info: quiet, warn: quiet, error: quiet },
    sealerOf(directory),
  );
  const tree = new RunTree({ runner: hosts, settings });
  const scripts = new ScriptLibrary(store);
  const { tags, reopen, logged } = tagsOver(store, { library: scripts, evaluator: tree.outside });
  const runs = new RunService({ tree, tags });
  const save = (definition: TagDefinition) => tags.definitions.save(definition);

  const plant: ScriptPlant = {
    tags,
    scripts,
    runs,
    settings,
    hosts,
    logged,
    async script(name, body) {
      const found = scripts.list().scripts.find((one) => one.name === name);
      const saved = await scripts.save({ group: 'Test', name, description: '', body, ...(found && { id: found.id }) });
      return saved.id;
    },
    async tag(path, kind, type, given = {}) {
      await save({ path, kind, type, description: '', unit: '', settings: given });
    },
    async scriptTag(path, { read, write }, type = 'Json') {
      if (read !== undefined) await plant.script(`${path} read`, read);
      if (write !== undefined) await plant.script(`${path} write`, write);
      await plant.tag(path, 'script', type, {
        ...(read !== undefined && { readScript: `Test/${path} read` }),
        ...(write !== undefined && { writeScript: `Test/${path} write` }),
      });
    },
    run: (body, { dryRun = false, signal, context } = {}) =>
      runs.execute({ body, context: { ...CONTEXT, ...context }, dryRun }, signal),
    reopen,
    async close() {
      tags.close();
      await hosts.close();
      store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return plant;
}
