/**
 * Coalesces requests for a task: one runs at a time, and requests in the meantime cause one more run afterwards. `work`
 * never rejects.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let stale = false;
  let under: Promise<void> | null = null;
  const all = async () => {
    while (stale) {
      stale = false;
      // oxlint-disable-next-line no-await-in-loop -- that is what it is for
      await work();
    }
    under = null;
  };
  return () => {
    stale = true;
    under ??= all();
    return under;
  };
}
