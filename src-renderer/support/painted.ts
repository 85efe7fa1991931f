const AT_MOST_MS = 100;

/** Resolves after the next frame is painted; also soon in a window that paints none. */
export async function painted(): Promise<void> {
  await Promise.race([
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve, 0));
    }),
    new Promise((resolve) => {
      setTimeout(resolve, AT_MOST_MS);
    }),
  ]);
}
