import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';

/**
 * A component whose code loads on its first render; `waiting` is rendered until then. Not React's `lazy`, because its
 * Suspense delays a loaded component until 300 ms after the fallback.
 */
export function deferred<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  let fetched: ComponentType<P> | null = null;
  return function Deferred(props: P) {
    const [Loaded, setLoaded] = useState(() => fetched);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useEffect(() => {
      if (Loaded) return;
      const fetch = async () => {
        try {
          fetched = await load();
          setLoaded(() => fetched);
        } catch (error) {
          setFailure({ error });
        }
      };
      void fetch();
    }, [Loaded]);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : waiting(props);
  };
}
