import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '#domain/text/json';
import type { RunReport } from '#domain/run/run';
import { hostRuntime, productRoot, resourcesFolder } from '../../../../src-main/platform/files/paths.ts';
import { programFile } from '../../../../src-main/platform/files/programs.ts';
import { RuleService } from '../../../../src-main/events/rules/rule-service.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import type { Outbound } from '../../../../src-main/outbound/outbound.ts';
import { openOutbound } from '../../../../src-main/outbound/outbound.ts';
import { sealerOf } from '../../../../src-main/outbound/secrets/sealer.ts';
import { RunService } from '../../../../src-main/scripting/runs/run-service.ts';
import { RunContexts } from '../../../../src-main/scripting/scripts/run-contexts.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import { installSample } from '../../../../src-main/workspace/sample/sample-workspace.ts';
import { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { ScriptTestService } from '../../../../src-main/scripting/tests/script-test-service.ts';
import { ScriptLibrary } from '../../../../src-main/scripting/scripts/script-library.ts';
import { SettingsService } from '../../../../src-main/workspace/settings/settings-service.ts';
import type { ErpOutboxRepository } from '../../../../src-main/storage/repositories/erp-outbox-repository.ts';
import { PlantDatabase } from '../../../../src-main/storage/plant/plant-database.ts';
import { DiagramService } from '../../../../src-main/plant/diagrams/diagram-service.ts';
import type { TagService } from '../../../../src-main/plant/tags/tag-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { keptLog, tagsOver } from '../../../support/services/wired-tags.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';

export const SAMPLE = join(resourcesFolder(productRoot()), 'sample', 'bottling');

export interface SampleScript {
  group: string;
  name: string;
  context: { name: string; tagName: string; diagram: string | null; location: string | null; tagValue?: Json };
}

export interface SamplePlant {
  outbox: ErpOutboxRepository;
  mocks: Outbound['services']['mocks'];
  calls: Outbound['services']['calls'];
  secrets: Outbound['services']['secrets'];
  settings: SettingsService;
  /** The folder of the workspace. */
  directory: string;
  tags: TagService;
  scripts: ScriptLibrary;
  scriptTests: ScriptTestService;
  runContexts: RunContexts;
  rules: RuleService;
  plant: PlantDatabase;
  diagrams: DiagramService;
  index: SampleScript[];
  logged: string[];
  /** Runs a script of the sample with the context of its index, or with the given one. */
  run: (name: string, change?: Partial<SampleScript['context']>, dryRun?: boolean) => Promise<RunReport>;
  close: () => Promise<void>;
}

/** The sample in a separate workspace, with a real script host. */
export async function samplePlant(): Promise<SamplePlant> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-sample-'));
  const store = openStore(directory);
  const { log, logged } = keptLog();
  const { node } = hostRuntime(productRoot());
  const hosts = new ScriptHostPool({ hostFile: TEST_SCRIPT_HOST, nodeBinary: node, count: 1, spare: false });
  hosts.start();
  const settings = new SettingsService(
    store,
    {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => log('settings', message),
      error: log,
    },
    sealerOf(directory),
  );
  const plant = new PlantDatabase({ directory, nodeBinary: node, hostFile: programFile('plant-host'), settings });
  const outbound = openOutbound({ ...store, settings, fault: log });
  const { mocks } = outbound.services;
  const tree = new RunTree({ runner: hosts, settings, api: outbound.api });
  const scripts = new ScriptLibrary(store);
  const { tags } = tagsOver(store, { library: scripts, evaluator: tree.outside, plant, log });
  const runs = new RunService({ tree, tags });
  const events = new EventStore(store);
  const rules = new RuleService({ store, events, settings, tags, conditions: tree.outside, log });
  const diagrams = new DiagramService(store);
  const scriptTests = new ScriptTestService({
    store,
    scripts,
    tree,
    tags,
    rules,
    mocked: (given) => outbound.mocked(given),
  });
  const runContexts = new RunContexts({ store, scripts });
  await installSample(SAMPLE, { mocks, tags, scripts, scriptTests, runContexts, rules, plant, diagrams });
  const index: SampleScript[] = JSON.parse(readFileSync(join(SAMPLE, 'scripts.json'), 'utf8'));

  return {
    outbox: store.outbox,
    ...outbound.services,
    settings,
    directory,
    tags,
    scripts,
    scriptTests,
    runContexts,
    rules,
    plant,
    diagrams,
    index,
    logged,
    run(name, change = {}, dryRun = false) {
      const entry = index.find((one) => one.name === name);
      if (!entry) throw new Error(`the sample has no script "${name}"`);
      const { tagName, diagram, location, tagValue } = { ...entry.context, ...change };
      const { body } = scripts.get({ group: entry.group, name });
      const scopes = { tagScopeDiagram: diagram, tagScopeLocation: location };
      return runs.execute({
        body,
        context: { tagName, ...scopes, ...(tagValue !== undefined && { tagValue }) },
        dryRun,
      });
    },
    async close() {
      await rules.close();
      events.close();
      tags.close();
      await hosts.close();
      await outbound.close();
      await plant.close();
      store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
