import { readFileSync } from 'node:fs';
import pidusage from 'pidusage';

/** Reads how much memory and processor time processes use. Does not call back if the process has ended. */
export interface ProcessReader {
  /** How often memory may be read during a run, ms. */
  readonly intervalMs: number;
  /** How often idle processes may be read, ms. */
  readonly idleIntervalMs: number;
  /** Resident memory in bytes. */
  memory(pid: number, then: (bytes: number) => void): void;
  /** Resident memory in bytes, and the processor time of all its threads so far, ms. */
  usage(pid: number, then: (bytes: number, processorMs: number) => void): void;
}

/** Linux counts the processor time of a process in hundredths of a second, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

/** From /proc on Linux (4 µs a sample); elsewhere through the pidusage package, which starts a system tool. */
export function processReader(): ProcessReader {
  return process.platform === 'linux' ? procReader() : toolReader();
}

function procReader(): ProcessReader {
  const pageBytes = pageSize();
  return {
    intervalMs: 20,
    idleIntervalMs: 1_000,
    memory(pid, then) {
      const pages = residentPages(pid);
      if (pages !== null) then(pages * pageBytes);
    },
    usage(pid, then) {
      const pages = residentPages(pid);
      const processorMs = processorTime(pid);
      if (pages !== null && processorMs !== null) then(pages * pageBytes, processorMs);
    },
  };
}

function toolReader(): ProcessReader {
  const usage: ProcessReader['usage'] = (pid, then) => {
    pidusage(pid).then(
      ({ memory, ctime }) => then(memory, ctime),
      () => undefined,
    );
  };
  return { intervalMs: 500, idleIntervalMs: 60_000, memory: usage, usage };
}

function processorTime(pid: number): number | null {
  try {
    // After the name of the program, which may contain any character: user and system time are fields 14 and 15 of the
    // line.
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

function residentPages(pid: number | 'self'): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ', 2)[1]);
  } catch {
    return null;
  }
}

/** The page size of the system: Node's own memory in bytes, divided by its pages in /proc. */
function pageSize(): number {
  const pages = residentPages('self');
  return pages === null ? 4096 : 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages));
}
