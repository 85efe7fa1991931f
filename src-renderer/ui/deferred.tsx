import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';

/** A component whose code is loaded when it is needed. */
export type Deferred<P extends object> = ComponentType<P> & {
  /** Loads the code before the first render, which is then that of the component itself. */
  load(): Promise<unknown>;
};

/**
 * A component whose code loads on its first render, or earlier; `waiting` is rendered until then. Not React's `lazy`, because its
 * Suspense delays a loaded component until 300 ms after the fallback.
 */
export function deferred<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => null,
): Deferred<P> {
  let fetched: ComponentType<P> | null = null;
  const fetch = async () => (fetched ??= await load());
  function Component(props: P) {
    const [Loaded, setLoaded] = useState(() => fetched);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useEffect(() => {
      if (Loaded) return;
      const show = async () => {
        try {
          const component = await fetch();
          setLoaded(() => component);
        } catch (error) {
          setFailure({ error });
        }
      };
      void show();
    }, [Loaded]);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : waiting(props);
  }
  return Object.assign(Component, { load: fetch });
}
