import type { DebugProtocol } from '@vscode/debugprotocol';
import { keyOfScript } from '../../model/script-document.ts';

const OF_SCRIPT = 'script:';
/** The text of a script that was never saved. */
const BODY = 'body';

/** The source of a script, by the key of its doc. */
export function sourceOf(key: string): DebugProtocol.Source {
  const id = /^script-(\d+)$/.exec(key)?.[1];
  return { path: id === undefined ? BODY : `${OF_SCRIPT}${id}` };
}

/** The key of the doc that shows a source; `debugged` is the doc of the run. Null for a text that no doc has. */
export function keyOfSource(source: DebugProtocol.Source | undefined, debugged: string | null): string | null {
  const path = source?.path;
  if (path === BODY) return debugged;
  if (!path?.startsWith(OF_SCRIPT)) return null;
  const id = Number(path.slice(OF_SCRIPT.length));
  return Number.isSafeInteger(id) && id > 0 ? keyOfScript(id) : null;
}

/** Whether breakpoints of this doc apply to a run of `debugged`: those of any saved script, which tags may run. */
export function isSourceOfRun(key: string, debugged: string): boolean {
  return key === debugged || sourceOf(key).path !== BODY;
}
