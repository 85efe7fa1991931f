/**
 * Work that is asked for often and done once at a time: what is asked for meanwhile is done once more afterwards. `work`
 * never rejects.
 */
export function oneAfterTheOther(work: () => Promise<void>): () => Promise<void> {
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
