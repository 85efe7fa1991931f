import { TagwrightError } from '../../platform/errors.ts';
import type { SiteRow } from '../../storage/hub/mirror-step.ts';
import type { MirrorState } from '../../storage/hub/mirror-state.ts';

/**
 * Checks that this workspace is the one that the hub mirrors.
 * @throws TagwrightError CONFLICT with what to do
 */
export function checkSite(site: string, row: SiteRow | null, state: MirrorState): asserts row is SiteRow {
  if (row === null) {
    throw new TagwrightError(
      'CONFLICT',
      `The hub has no site "${site}" for this role. Use the address and the name that "tagwright hub sites add" printed.`,
    );
  }
  if (!row.isOwn) {
    throw new TagwrightError(
      'CONFLICT',
      `The address of the hub is not that of site "${site}". Use the one that "tagwright hub sites add ${site}" printed.`,
    );
  }
  if (row.step === null || state.rejoin === 1) return;
  if (row.step === state.lastStep || row.step === state.nextStep) return;
  const reason =
    state.nextStep === null
      ? `another workspace is mirrored as site "${site}"`
      : `the hub has another state of site "${site}": this workspace was restored from a backup or copied, the hub was restored, or another workspace is mirrored as this site`;
  throw new TagwrightError(
    'CONFLICT',
    `The mirror stopped, because ${reason}. If this workspace is the valid one, run "tagwright hub rejoin": the hub then gets its state. Otherwise, set hub.site to another name, or to "".`,
  );
}
