/**
 * The script host: a separate process that runs scripts one after another and talks to main over an inherited pipe. It
 * blocks on that pipe and has no event loop. Arguments: the folder of isolated-vm, the memory limit in MB, and `debug` for
 * debugged runs.
 */
import { FROM_HOST, TO_HOST, type RunStart } from '../protocol/messages.ts';
import { BlockingPipe } from '../../../platform/host-pipe/blocking-pipe.ts';
import { closeLoaders, loadIsolatedVm } from './addon.ts';
import { Realms } from './realms.ts';
import { run } from './run.ts';
import { warmUp } from './warm-up.ts';

const PIPE_FD = 3;
/** If creating a realm took longer, main is notified: a run that it may already have sent begins only now. */
const LONG_MS = 5;

function main(): never {
  const [packageFolder = '', memoryMb = '', kind = ''] = process.argv.slice(2);
  const isolatedVm = loadIsolatedVm(packageFolder);
  closeLoaders();
  const realms = new Realms(isolatedVm, Number(memoryMb), kind === 'debug');
  const pipe = new BlockingPipe(PIPE_FD, () => process.exit(0));
  warmUp(realms, Number(memoryMb));
  pipe.write(FROM_HOST.ready, '');
  let reported = true;
  for (;;) {
    const { type, text } = pipe.read();
    if (type === TO_HOST.check) {
      if (!reported) pipe.write(FROM_HOST.ready, '');
      reported = true;
      continue;
    }
    if (type !== TO_HOST.run) throw new Error(`main sent a frame of type ${type} to an idle host`);
    const end = run(JSON.parse(text) as RunStart, realms, pipe);
    pipe.write(FROM_HOST.done, end.json);
    if (!end.usable) process.exit(0);
    // Main has the result and does not wait for the rest.
    const since = performance.now();
    if (end.realm !== null) realms.release(end.realm, end.threw);
    realms.prepare();
    reported = performance.now() - since > LONG_MS;
    if (reported) pipe.write(FROM_HOST.ready, '');
  }
}

try {
  main();
} catch (thrown) {
  console.error(thrown);
  process.exit(1);
}
