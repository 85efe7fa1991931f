import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from '#domain/text/json';
import { secretsInSettings } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';
import { hostRulesOf, openHostProcesses } from './host-processes.ts';
import { HubService } from './hub/mirror/hub-service.ts';
import { RuleService } from './events/rules/rule-service.ts';
import { AppService } from './workspace/app/app-service.ts';
import type { Reopened } from './workspace/app/reopened.ts';
import { DiagnosticsService } from './workspace/diagnostics/diagnostics-service.ts';
import { DiagramService } from './plant/diagrams/diagram-service.ts';
import { BackupService } from './storage/backups/backup-service.ts';
import { EventService } from './events/store/event-service.ts';
import { EventStore } from './events/store/event-store.ts';
import { EventsApiService } from './events/api/events-api-service.ts';
import { WebhookService } from './events/webhooks/webhook-service.ts';
import { messageOf } from './platform/errors.ts';
import { RefusalLog } from './platform/http/refusal-log.ts';
import type { FormedLog, Log } from './platform/log.ts';
import { hostRuntime, resourcesFolder } from './platform/files/paths.ts';
import { userName } from './platform/user-name.ts';
import { productVersion } from './platform/version.ts';
import { ErpService } from './plant/erp/erp-service.ts';
import type { Outbound } from './outbound/outbound.ts';
import { openOutbound } from './outbound/outbound.ts';
import { loadHttpClient } from './outbound/http/connections.ts';
import type { SecretCipher } from './outbound/secrets/secret-cipher.ts';
import { ensureKeyFile, sealerOf } from './outbound/secrets/sealer.ts';
import { DebugService } from './scripting/debug/debug-service.ts';
import { scriptNamesOf } from './scripting/debug/debug-sources.ts';
import { RunService } from './scripting/runs/run-service.ts';
import { type OtherDebugging, type RunCounting, RunTree } from './scripting/runs/run-tree.ts';
import type { ScriptRunner } from './scripting/sandbox/script-run.ts';
import { once } from './workspace/sample/once.ts';
import { RunContexts } from './scripting/scripts/run-contexts.ts';
import { JournalReader } from './storage/journal/journal-reader.ts';
import { JournalWindows } from './storage/journal/journal-windows.ts';
import type { JournalService } from './scripting/journal/journal-service.ts';
import { openJournal } from './scripting/journal/open-journal.ts';
import { RunCounts } from './scripting/journal/run-counts.ts';
import { RunJournal } from './scripting/journal/run-journal.ts';
import { ScriptTestService } from './scripting/tests/script-test-service.ts';
import { maskArguments } from './outbound/recorded-call.ts';
import { CapsuleRecorder } from './scripting/capsules/capsule-recorder.ts';
import { CapsuleService } from './scripting/capsules/capsule-service.ts';
import { LensService } from './scripting/lens/lens-service.ts';
import { FailureService } from './scripting/failures/failure-service.ts';
import { ScriptLibrary } from './scripting/scripts/script-library.ts';
import { SettingsService } from './workspace/settings/settings-service.ts';
import { StoredSettings } from './workspace/settings/stored-settings.ts';
import { finishWriteIntents, logRecovery } from './storage/plant/recovery.ts';
import { copyInProcess } from './storage/workspace/copy/copy-in-process.ts';
import { sealSettings } from './storage/workspace/rewrite-settings.ts';
import type { InstanceLock } from './storage/workspace/instance-lock.ts';
import type { PreparedRestore } from './storage/backups/restore-backup.ts';
import { StorageHealth } from './storage/storage-health.ts';
import { openWorkspaceStore } from './storage/workspace/workspace-store.ts';
import { DbService } from './plant/tags/db-service.ts';
import { loadSchemaCompiler } from './plant/tags/kinds/erp.ts';
import { TagService } from './plant/tags/tag-service.ts';
import { SearchService } from './scripting/search/search-service.ts';
import { UsageService } from './scripting/usage/usage-service.ts';
import { WorkspacesService } from './workspace/workspaces/workspaces-service.ts';

export interface WorkbenchOptions {
  /** The folder of the workspace; created if it does not exist. */
  directory: string;
  /** The folder of the product: resources, bundles, node_modules. */
  root: string;
  /** The sample plant for a workspace that this open creates. */
  createSample: boolean;
  /** For a process for a single command: one script host and no spare, no backups, no events API, no active rules. */
  oneShot?: boolean;
  /** Whether it surely runs scripts. Otherwise, the script host of a single command starts with the first run. */
  runsScripts?: boolean;
  /** Port of the events API regardless of the settings, 0 for a free one; a taken port is an error. */
  eventsPort?: number | undefined;
  /** Seals secrets; without it, a key file in the workspace does. */
  cipher?: SecretCipher | undefined;
  /** A lock of the workspace that the caller holds, and releases itself after `close`. */
  lock?: InstanceLock | undefined;
  /** Ends this workbench, restores the backup and opens the workspace again; absent if the process cannot do that. */
  reopenWith?: ((prepared: PreparedRestore) => void) | undefined;
  /** The state of this instance before it reopened its workspace. */
  reopened?: Reopened | undefined;
  /** Counts and traces requests to the events API. */
  observe?: ((handler: RequestListener) => RequestListener) | undefined;
  /** A configurable log follows the setting `log.format`. */
  log: Log & Partial<FormedLog>;
}

export interface Workbench {
  readonly services: {
    readonly app: AppService;
    readonly mocks: Outbound['services']['mocks'];
    readonly calls: Outbound['services']['calls'];
    readonly secrets: Outbound['services']['secrets'];
    readonly eventsApi: EventsApiService;
    readonly scripts: ScriptLibrary;
    readonly tags: TagService;
    readonly tagDefinitions: TagService['definitions'];
    readonly erp: ErpService;
    readonly backups: BackupService;
    readonly workspaces: WorkspacesService;
    readonly db: DbService;
    readonly diagrams: DiagramService;
    readonly capsules: CapsuleService;
    readonly failures: FailureService;
    readonly lens: LensService;
    readonly usage: UsageService;
    readonly runs: RunService;
    readonly debug: DebugService;
    readonly scriptTests: ScriptTestService;
    readonly runContexts: RunContexts;
    readonly search: SearchService;
    readonly journal: JournalService;
    readonly settings: SettingsService;
    readonly rules: RuleService;
    readonly events: EventService;
    readonly consumers: EventsApiService['consumers'];
    readonly webhooks: WebhookService;
    readonly hub: HubService;
    readonly diagnostics: DiagnosticsService;
  };
  /** Whether this open created the workspace. */
  readonly created: boolean;
  /** Writes the address of this instance into instance.json; null if it has none. */
  publish(how: { url: string; token: string } | { url: null; token: null }): void;
  close(): Promise<void>;
}

/** Exists in the workspace while the sample is being added. */
const SAMPLE_UNFINISHED = 'sample.unfinished';

/**
 * The composition root: opens the workspace and starts every service in order; `close` stops them in reverse. The same
 * for the desktop, the browser host and the command line. Throws errors of opening the workspace (WORKSPACE_…,
 * STORAGE_FULL), UNAVAILABLE if no script host can be started on this machine, or PORT_TAKEN for the requested port of
 * the events API.
 */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { directory, root, createSample, oneShot = false, runsScripts = !oneShot, reopened, log } = options;
  const runtime = hostRuntime(root);
  const version = productVersion(root);
  const fault = (where: string, thrown: unknown) => log.error(`${where} failed`, thrown);
  const store = openWorkspaceStore(directory, { lock: options.lock });
  const started = new AsyncDisposableStack();
  started.defer(() => store.close());
  if (store.exposed.length > 0) {
    log.warn('Other users may read files of the workspace. Change their owner or their mode (0600).', {
      event: 'workspace.exposed',
      files: store.exposed.map(({ path }) => path),
    });
  }
  try {
    try {
      ensureKeyFile(store.directory);
    } catch (thrown) {
      log.warn(`Secrets cannot be sealed with the key file: ${messageOf(thrown)}`, { event: 'secrets.no-key' });
    }
    const sealer = sealerOf(store.directory, options.cipher);
    sealSettings(store.database, new StoredSettings(sealer).rewritten, log);
    const settings = new SettingsService(store, log, sealer);
    log.useFormat?.(settings.get()['log.format']);
    settings.onChange((now) => log.useFormat?.(now['log.format']));
    // The hosts start first: they are processes, and the rest is loaded in the meantime.
    const { hostFiles, sandbox, hosts, plant } = openHostProcesses({
      directory: store.directory,
      root,
      nodeBinary: runtime.node,
      settings,
      oneShot,
      runsScripts,
      log,
      closing: started,
    });
    // Before plant.db is closed: without its log, it no longer shows what became of an intent.
    started.defer(() => store.commits.sync());
    const sets = await finishWriteIntents({ ...store, plant, log: (message, details) => log.error(message, details) });
    const scripts = new ScriptLibrary(store, userName());
    if (!oneShot) await loadHttpClient();
    // A command that runs scripts defines no tags, except in a new workspace.
    if (!oneShot || !runsScripts || store.created) await loadSchemaCompiler();
    const outbound = openOutbound({
      ...store,
      loadsLate: oneShot,
      settings,
      sealer,
      fault,
    });
    started.defer(() => outbound.close());
    const secretTexts = () => [...outbound.secretValues(), ...secretsInSettings(settings.get())];
    const mask = () => store.journal.maskWith(() => outbound.maskOf(secretTexts()));
    const journalWith = (now: Settings) => {
      store.journal.enabled = now['journal.megabytes'] > 0;
      store.journal.limitBytes = now['journal.megabytes'] * 1_048_576;
      mask();
    };
    journalWith(settings.get());
    settings.onChange(journalWith);
    outbound.services.secrets.onChange(mask);
    // Tags run scripts and scripts use tags: the tree of runs is independent of tags, so it comes first.
    const others: { debugging: OtherDebugging | null } = { debugging: null };
    const counted: { runs: RunCounting | null } = { runs: null };
    const runner: Pick<ScriptRunner, 'run'> = {
      run(run) {
        // What a short command loads for its run is none of the run's time.
        if (oneShot && run.body.includes('TagValueManager')) tags.load();
        return hosts.run(run);
      },
    };
    const tree = new RunTree({ runner, settings, api: outbound.api, journal: store.journal, others, counted });
    const tags = new TagService({
      ...store,
      library: scripts,
      plant,
      evaluator: tree.outside,
      valuesMb: () => settings.get()['limits.valuesMb'],
      erpRecords: () => settings.get()['limits.erpRecords'],
      loadsLate: oneShot,
      log: fault,
    });
    started.defer(() => tags.close());
    const erp = new ErpService({ outbox: store.outbox, tags });
    started.defer(() => erp.close());
    const diagrams = new DiagramService({ ...store, loadsLate: oneShot });
    started.defer(() => diagrams.close());
    const runJournal = new RunJournal(store.journal);
    started.defer(() => runJournal.close());
    const recorder = new CapsuleRecorder({
      tree,
      tags: {
        session: (session) => tags.session(session),
        kindOf: (path) => tags.kindOf(path),
        timesOf: (values, scope) => tags.timesOf(values, scope),
      },
      settings,
      secrets: secretTexts,
      journal: runJournal,
      version,
    });
    const reader = new JournalReader(store.database);
    const runCounts = new RunCounts({
      ...store,
      reader,
      runs: runJournal,
      sample: (script) => recorder.sample(script),
    });
    counted.runs = runCounts;
    started.defer(() => runCounts.close());
    const runs = new RunService({ tree, tags, kept: recorder.kept });
    const events = new EventStore(store);
    started.defer(() => events.close());
    const webhooks = new WebhookService({
      ...store,
      events,
      settings,
      sealer,
      push: (message, ms, signal) => outbound.api.push(message, ms, signal),
      version,
      fault,
    });
    started.defer(() => webhooks.close());
    const hubUrl = process.env['TAGWRIGHT_HUB_URL'];
    const hub = new HubService({ ...store, file: store.database.name, events, settings, version, url: hubUrl });
    started.defer(() => hub.close());
    const rules = new RuleService({
      store,
      events,
      settings,
      tags,
      conditions: tree.outside,
      log: fault,
    });
    started.defer(() => rules.close());
    const scriptTests = new ScriptTestService({
      store,
      scripts,
      tree,
      tags,
      rules,
      mocked: (mocks) => outbound.mocked(mocks),
    });
    started.defer(() => scriptTests.close());
    const hostLog = (message: string, fields: JsonObject) => log.info(message, fields);
    const ownHosts = { hosts: { ...hostFiles, sandbox, log: hostLog }, rules: () => hostRulesOf(settings.get()) };
    const replayed = { maskArguments, version, ...ownHosts };
    const debug = new DebugService({
      runs,
      tests: scriptTests,
      names: scriptNamesOf(tags.definitions, scripts),
      tags,
      ...ownHosts,
      mask: () => outbound.maskOf(secretTexts()),
      pausedMinutes: () => settings.get()['debug.pausedMinutes'],
      clock: store.clock,
      log: fault,
    });
    others.debugging = debug;
    started.defer(() => debug.close());
    const runContexts = new RunContexts({ store, scripts });
    const backups = new BackupService({ store, log, reopenWith: options.reopenWith });
    const usage = new UsageService({
      tags: tags.definitions,
      rules,
      scripts,
      stored: store.scripts,
      contexts: runContexts,
      diagrams,
      tests: scriptTests,
      mocks: outbound.services.mocks,
      settings,
    });
    const search = new SearchService({
      commits: store.commits,
      stored: store.scripts,
      scripts,
      tests: scriptTests,
      tags: tags.definitions,
      rules,
      mocks: outbound.services.mocks,
    });
    const health = new StorageHealth({ ...store, plant, log });
    started.defer(() => health.close());
    const refusals = new RefusalLog(log);
    started.defer(() => refusals.close());
    const eventsApi = new EventsApiService({
      source: events,
      settings,
      apiKey: settings.apiKey,
      onRefused: refusals.add,
      problems: () => health.problems(),
      requestsFile: join(store.directory, 'logs', 'requests.jsonl'),
      version,
      clock: store.clock,
      log,
      port: options.eventsPort,
      observe: options.observe,
      portBefore: reopened?.eventsPort,
    });
    const journal = openJournal({
      ...store,
      runs: runCounts,
      reader,
      windows: new JournalWindows(store.database, (value) => store.journal.hidden.shown(value)),
      inputsOf: (path) => tags.definitions.inputsOf(path),
      nearestTo: (path) => tags.definitions.check({ paths: [path] }).unknown[0]?.nearest ?? [],
      requestOf: (seq) => eventsApi.storedRequest(seq),
      storeSamples: () => rules.storeSamples(),
      readsOf: (event) => eventsApi.readsOf(event),
      isActive: (event) => events.get(event)?.Active ?? false,
      callOf: (seq) => outbound.loggedCall(seq),
      recordOf: (id) => store.outbox.get(id),
      settings,
      log: fault,
    });
    started.defer(() => journal.close());
    const capsules = new CapsuleService({ recorder, journal, runs: runJournal, reader, ...replayed });
    const app = new AppService({
      version,
      workspace: store.directory,
      clock: store.clock,
      hosts,
      plant,
      scripts,
      eventsApi,
      hub,
      restored: reopened?.restored,
      sandbox,
    });
    started.defer(() => app.close());

    if (createSample) {
      const seal = sealerOf(store.directory);
      await once(join(store.directory, SAMPLE_UNFINISHED), store.created, seal, async () => {
        await loadSchemaCompiler();
        const { installSample } = await import('./workspace/sample/sample-workspace.ts');
        const { mocks } = outbound.services;
        const into = { mocks, tags, scripts, scriptTests, runContexts, rules, plant, diagrams };
        await installSample(join(resourcesFolder(root), 'sample', 'bottling'), into);
      });
    }
    if (reopened === undefined) logRecovery(store, sets, log);
    if (!oneShot) {
      rules.start();
      journal.start();
      webhooks.start();
      hub.start();
      // Last, so that it is closed first: no services are called after they have ended.
      started.defer(() => eventsApi.close());
      await eventsApi.start();
      started.defer(backups.daily());
    }
    const workspaces = new WorkspacesService({
      open: (folder, sample) => openWorkbench({ directory: folder, root, createSample: sample, oneShot: true, log }),
      copy: (to) => copyInProcess({ ...to, source: store.directory }, { nodeBinary: runtime.node, root }),
      log,
    });
    if (!oneShot) workspaces.remember(store.directory);
    return {
      services: {
        ...outbound.services,
        app,
        eventsApi,
        scripts,
        tags,
        tagDefinitions: tags.definitions,
        erp,
        backups,
        workspaces,
        db: new DbService(plant),
        diagrams,
        capsules,
        failures: new FailureService({ capsules: recorder, ...replayed }),
        lens: new LensService({ runs: new RunService({ tree, tags }), tags, diagrams, contexts: runContexts }),
        usage,
        runs,
        debug,
        scriptTests,
        runContexts,
        search,
        journal,
        settings,
        rules,
        events: new EventService(events, rules),
        consumers: eventsApi.consumers,
        webhooks,
        hub,
        diagnostics: new DiagnosticsService({
          workspace: store.directory,
          root,
          version,
          instance: { eventsApi: () => eventsApi.status(), ui: () => app.info().ui, hosts: () => hosts.status(), hub },
          secrets: secretTexts,
        }),
      },
      created: store.created,
      publish: (how) => store.lock.publish(how),
      close: async () => {
        // Ending a process takes as long as storing the last entries: a short command does both at once.
        await Promise.all([oneShot && hosts.close(), started.disposeAsync()]);
      },
    };
  } catch (thrown) {
    await started.disposeAsync();
    throw thrown;
  }
}
