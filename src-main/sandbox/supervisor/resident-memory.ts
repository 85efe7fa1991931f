import { readFileSync } from 'node:fs';
import pidusage from 'pidusage';

/** Reads how much memory processes hold. */
export interface MemoryReader {
  /** How often it may be asked, ms. */
  readonly intervalMs: number;
  /** Hands on the resident memory in bytes; not at all when the process is gone. */
  read(pid: number, then: (bytes: number) => void): void;
}

/** From /proc on Linux (4 µs a sample); elsewhere through the pidusage package, which starts a tool of the system. */
export function memoryReader(): MemoryReader {
  return process.platform === 'linux' ? procReader() : toolReader();
}

function procReader(): MemoryReader {
  const pageBytes = pageSize();
  return {
    intervalMs: 20,
    read(pid, then) {
      const pages = residentPages(pid);
      if (pages !== null) then(pages * pageBytes);
    },
  };
}

function toolReader(): MemoryReader {
  return {
    intervalMs: 500,
    read(pid, then) {
      pidusage(pid).then(
        ({ memory }) => then(memory),
        () => undefined,
      );
    },
  };
}

function residentPages(pid: number | 'self'): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ', 2)[1]);
  } catch {
    return null;
  }
}

/** The page size of the system: what Node says of itself in bytes, over what /proc says of it in pages. */
function pageSize(): number {
  const pages = residentPages('self');
  return pages === null ? 4096 : 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages));
}
