const worked = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The longest turn of this thread's event loop during the work: its own processor time, in ms. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = worked();
  let isOver = false;
  const look = () => {
    const now = worked();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
    await new Promise((done) => setImmediate(done));
  } finally {
    isOver = true;
  }
  return longest;
}
