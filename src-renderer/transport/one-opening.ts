import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '#contract';
import type { LinkCheck } from './session-holder.ts';
import type { Link } from './transport.ts';

/**
 * Accepts only connections to the same opening of the workspace as the first one. After a restore, nothing of the page
 * may reach the new one: the page shows, and would save, data of the former workspace.
 */
export function oneOpening(onReopened: () => void): LinkCheck {
  let isFirst = true;
  let known: string | null = null;
  return async (link) => {
    if (isFirst) {
      isFirst = false;
      // Requested in parallel to the first reads, which do not wait for it.
      openingOf(link).then(
        (opening) => (known = opening),
        () => {},
      );
      return true;
    }
    const opening = await openingOf(link);
    if (opening === known) return true;
    onReopened();
    return false;
  };
}

async function openingOf(link: Link): Promise<string> {
  const { startedAt } = await createORPCClient<ContractRouterClient<Contract>>(link).app.info();
  return startedAt;
}
