import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOOK_EVERY_MS = 50;
const HANDED_OVER = /^second-\d+\.json$/;

/**
 * The single-instance lock of a folder, between real processes. The first start writes its pid there. Later ones write
 * their arguments there, do not get the lock, and are reported to the first.
 */
export function holdsSingleInstance(folder: string, onSecond: (args: string[]) => void): boolean {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'single-instance');
  if (isHeld(lock)) {
    const written = join(folder, `second-${process.pid}`);
    writeFileSync(written, JSON.stringify(process.argv));
    renameSync(written, `${written}.json`);
    return false;
  }
  writeFileSync(lock, String(process.pid));
  const look = () => {
    for (const file of readdirSync(folder).filter((name) => HANDED_OVER.test(name))) {
      const args: string[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      rmSync(join(folder, file));
      onSecond(args);
    }
  };
  // A missing folder belonged to a test that has ended.
  setInterval(() => existsSync(folder) && look(), LOOK_EVERY_MS).unref();
  return true;
}

function isHeld(lock: string): boolean {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
}
