/** The number of turns of the event loop while the work was done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    over = true;
  }
  return turns;
}
