import { messageOf } from '../errors.ts';
import type { TakeHold } from './confined-child.ts';
import { JobObject } from './job-object.ts';
import { loadKernel32, type Kernel32 } from './kernel32.ts';
import { active, ESSENTIAL_LAYERS, inactive, inactiveLayers, type DetectedSandbox } from './layers.ts';
import { Wrapper } from './wrapper.ts';

const MB = 1024 * 1024;
/** The layout of the limits is that of 64-bit Windows. */
const ARCHITECTURES = new Set<string>(['x64', 'arm64']);
const NOT_CONFINED =
  'a Job Object does not confine it. AppContainer would, and no maintained package gives Node access to that';

/**
 * A Job Object for each host. Tagwright itself holds it, so that the host ends with Tagwright, however that ends.
 * @param load what it calls; tests put their own in its place
 */
export function windowsSandbox(load: () => Kernel32 = loadKernel32, architecture = process.arch): DetectedSandbox {
  if (!ARCHITECTURES.has(architecture)) return without(`no Job Objects for Node of ${architecture}`);
  try {
    const kernel = load();
    const restricted = canRestrictDesktop(kernel);
    return {
      wrapper: Wrapper.held(jobOf(kernel, restricted)),
      layers: [
        ...ESSENTIAL_LAYERS.map((name) => inactive(name, NOT_CONFINED)),
        active('New processes', 'Job Object: a host starts no other process, and ends with Tagwright'),
        restricted
          ? active('Desktop', 'Job Object: no clipboard, no windows of others, no sign-out')
          : inactive('Desktop', 'Windows refused to restrict it in a Job Object'),
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

/** Throws where not even a job without such restrictions can be made. */
function canRestrictDesktop(kernel: Kernel32): boolean {
  new JobObject(kernel, MB, false).release();
  try {
    new JobObject(kernel, MB, true).release();
    return true;
  } catch {
    return false;
  }
}

function jobOf(kernel: Kernel32, restricted: boolean): TakeHold {
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
