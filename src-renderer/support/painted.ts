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

type KeyOrClick = Partial<Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>>;
type Listen = (
  name: 'keydown' | 'pointerdown',
  listener: (event: KeyOrClick) => void,
  options: { capture: true },
) => void;

/** Where keys and clicks arrive first: the window. */
interface InputTarget {
  addEventListener: Listen;
  removeEventListener: Listen;
}

/** Work that can wait until what the user typed is painted, and may be done before. */
export class AfterPaint {
  readonly #waiting = new Set<() => void>();

  /** Does `work` once after the next frame. */
  readonly add = (work: () => void): void => {
    if (this.#waiting.size === 0) void painted().then(this.now);
    this.#waiting.add(work);
  };

  /** Does the waiting work without waiting for the frame. */
  readonly now = (): void => {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const work of waiting) work();
  };

  /** Does the waiting work before keys, other than typed characters, and clicks. Returns how to stop that. */
  beforeInput(target: InputTarget): () => void {
    const onKey = ({ key = '', ctrlKey, altKey, metaKey }: KeyOrClick) => {
      if (key.length > 1 || ctrlKey || altKey || metaKey) this.now();
    };
    target.addEventListener('keydown', onKey, { capture: true });
    target.addEventListener('pointerdown', this.now, { capture: true });
    return () => {
      target.removeEventListener('keydown', onKey, { capture: true });
      target.removeEventListener('pointerdown', this.now, { capture: true });
    };
  }
}
