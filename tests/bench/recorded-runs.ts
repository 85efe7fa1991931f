import { scriptHostFile } from '../../src-main/platform/files/paths.ts';
import { resolve } from 'node:path';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { CapsuleRecorder } from '../../src-main/scripting/capsules/capsule-recorder.ts';
import { RunJournal } from '../../src-main/scripting/journal/run-journal.ts';
import { RunService } from '../../src-main/scripting/runs/run-service.ts';
import { RunTree } from '../../src-main/scripting/runs/run-tree.ts';
import { ScriptHostPool } from '../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { storageKind } from '../../src-main/plant/tags/kinds/storage.ts';
import { TagService } from '../../src-main/plant/tags/tag-service.ts';
import type { WorkspaceStore } from '../../src-main/storage/workspace/workspace-store.ts';
import { compare, type Side } from './compare.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const READ_TAGS = 20;
const PATHS = Array.from({ length: READ_TAGS }, (_, index) => `Bench.Line.Tag${index}.Value`);
const context = { tagName: 'Bench.Line.Script.Value', tagScopeDiagram: null, tagScopeLocation: null };
/** Gets of a script, one after another. */
export const GETS = { ofTwo: [PATHS.slice(0, 2)], oneByOne: PATHS.map((path) => [path]) } as const;

/** The rate of the Gets of a run that a person starts, against a run that is never recorded, in turns. */
export async function againstUnrecorded(store: WorkspaceStore, enabled: boolean, wanted: readonly string[][]) {
  const hostFile = scriptHostFile(ROOT);
  const hosts = new ScriptHostPool({ hostFile, nodeBinary: process.execPath, count: 2, spare: true });
  hosts.start();
  const settings = { get: () => DEFAULT_SETTINGS };
  const tree = new RunTree({ runner: hosts, settings, journal: store.journal });
  const log = (where: string, fault: unknown): void => console.error(where, fault);
  const tags = new TagService({ ...store, log, kinds: [storageKind(store)], evaluator: tree.outside });
  const journal = new RunJournal(store.journal);
  const { kept } = new CapsuleRecorder({
    tree,
    tags,
    settings,
    secrets: () => [],
    maskOf: () => null,
    journal,
    version: 'bench',
  });
  const gets =
    (runs: RunService): Side =>
    async (ms) => {
      const body = `const wanted = ${JSON.stringify(wanted)};
        const start = Date.now(); let gets = 0;
        while (Date.now() - start < ${ms}) for (let i = 0; i < 60; i += 1, gets += 1) {
          if (TagValueManager.Get(wanted[i % wanted.length]).Value[0].Value !== 1.5) throw new Error('not read');
        }
        return gets * 1000 / (Date.now() - start);`;
      const { status, result, error } = await runs.execute({ body, context, dryRun: false });
      if (status !== 'ok') throw new Error(error?.message);
      // The other side does not pay for it.
      await journal.flush();
      return Number(result);
    };
  try {
    for (const path of PATHS) {
      const definition = { path, kind: 'storage', type: 'Double', description: '', unit: '' } as const;
      await tags.definitions.save({ ...definition, settings: { initial: 1.5 } });
    }
    store.journal.enabled = enabled;
    const sides = [gets(new RunService({ tree, tags, kept })), gets(new RunService({ tree, tags }))] as const;
    const { ratio, ours, peer } = await compare(...sides, { rounds: 25, ms: 300 });
    return { figure: ratio, detail: `${ours.toFixed(0)} calls/s against ${peer.toFixed(0)}/s` };
  } finally {
    store.journal.enabled = true;
    tags.close();
    await hosts.close();
  }
}
