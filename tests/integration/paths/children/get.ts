import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { OsSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { withoutOsSandbox } from '../../../../src-main/platform/os-sandbox/os-sandbox.ts';
import { RunService } from '../../../../src-main/scripting/runs/run-service.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import type { Host } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import { connectCalls } from '../../../../src-main/scripting/sandbox/guest/host-call.ts';
import { tagValueManager } from '../../../../src-main/scripting/sandbox/guest/tag-value-manager.ts';
import { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { PassedFiles } from '../passed-files.ts';

// Runs a script with a number of Gets, and prints the files of main and of the guest whose functions ran as often. The
// script host writes its coverage into a folder.
const [directory = '', hostFile = '', coverage = '', count = ''] = process.argv.slice(2);
const gets = Number(count);
const path = 'Plant.Line.Tag.Value';

const hosts: ChildProcess[] = [];
const plain = withoutOsSandbox('its coverage is a file');
const sandbox: OsSandbox = {
  known: plain.known,
  state: plain.state,
  onChange: (listener) => plain.onChange(listener),
  spawn(command) {
    const args = ['--allow-inspector', '--allow-fs-write=*', ...command.args];
    const host = plain.spawn({ ...command, args, env: { ...command.env, NODE_V8_COVERAGE: coverage } });
    // A host that is killed writes none; without its pipe, it ends by itself.
    host.kill = () => void host.pipe(3)?.destroy();
    hosts.push(host.process);
    return host;
  },
};
const pool = new ScriptHostPool({ hostFile, nodeBinary: process.execPath, count: 1, spare: false, sandbox });
const store = openWorkspaceStore(directory);
const tree = new RunTree({ runner: pool, settings: { get: () => DEFAULT_SETTINGS } });
const { tags } = tagsOver(store, { evaluator: tree.outside });
await tags.definitions.save({ path, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} });
await tags.set({ items: [{ tag: path, value: 5 }] });

const passed = new PassedFiles();
const { status, reads } = await new RunService({ tree, tags }).execute({
  body: `for (let n = 0; n < ${gets}; n += 1) TagValueManager.Get(['${path}']);`,
  context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
  dryRun: false,
});
const main = passed.take(gets);
const ended = hosts.map((host) => once(host, 'close'));
await pool.close();
await Promise.all(ended);

// The guest runs in an isolate without coverage; the same files run here.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- returns the response to a Get, whatever is requested
connectCalls((() => '{"value":{"values":[5],"qualities":["Good"],"types":["Int"]}}') as unknown as Host);
const { Get } = tagValueManager() as { Get: (paths: string[]) => object };
passed.take();
for (let n = 0; n < gets; n += 1) Get([path]);
const guest = passed.take(gets);

tags.close();
store.close();
console.log(JSON.stringify({ status, reads: reads.length, files: [...main, ...guest] }));
