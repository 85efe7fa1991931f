import { messageOf } from '../errors.ts';
import type { Attach } from './confined-child.ts';
import { JobObject } from './job-object.ts';
import { loadKernel32, type Kernel32 } from './kernel32.ts';
import { active, ESSENTIAL_LAYERS, inactive, inactiveLayers, type DetectedSandbox } from './layers.ts';
import type { Trial } from './trial.ts';
import { Wrapper } from './wrapper.ts';

/** The layout of the limits is that of 64-bit Windows. */
const ARCHITECTURES = new Set<string>(['x64', 'arm64']);
const NOT_CONFINED =
  'a Job Object does not confine it. AppContainer would, and no maintained package gives Node access to that';

/**
 * A Job Object for each host. Tagwright itself holds it, so that the host ends with Tagwright, for whatever reason.
 * @param load loads the system functions; tests replace it
 */
export async function windowsSandbox(
  trial: Trial,
  load: () => Kernel32 = loadKernel32,
  architecture = process.arch,
): Promise<DetectedSandbox> {
  if (!ARCHITECTURES.has(architecture)) return without(`no Job Objects for Node of ${architecture}`);
  try {
    const kernel = load();
    const attempt = (restricted: boolean) => Wrapper.attempt(trial, { attach: jobOf(kernel, restricted) });
    // Windows does not restrict the desktop if Tagwright itself is in a job.
    const restricted = await attempt(true);
    const wrapper = restricted instanceof Wrapper ? restricted : await attempt(false);
    if (!(wrapper instanceof Wrapper)) return without(`Job Objects do not work here (${wrapper.reason})`);
    return {
      wrapper,
      layers: [
        ...ESSENTIAL_LAYERS.map((name) => inactive(name, NOT_CONFINED)),
        active('New processes', 'Job Object: a host starts no other process, and ends with Tagwright'),
        restricted instanceof Wrapper
          ? active('Desktop', 'Job Object: no clipboard, no windows of others, no sign-out')
          : inactive('Desktop', `Windows did not restrict it in a Job Object (${restricted.reason})`),
        active('Memory', 'Job Object: Windows refuses more; Tagwright ends a host above its limit before that'),
      ],
    };
  } catch (thrown) {
    return without(`Job Objects do not work here (${messageOf(thrown)})`);
  }
}

function without(reason: string): DetectedSandbox {
  return { wrapper: Wrapper.none(), layers: inactiveLayers(reason) };
}

function jobOf(kernel: Kernel32, restricted: boolean): Attach {
  return (pid, { memoryBytes }) => {
    const job = new JobObject(kernel, memoryBytes, restricted);
    try {
      job.hold(pid);
      return job;
    } catch (thrown) {
      job.release();
      throw thrown;
    }
  };
}
