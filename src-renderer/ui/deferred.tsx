import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Button } from './fluent.ts';

/** A component whose code is loaded when it is needed. */
export type Deferred<P extends object> = ComponentType<P> & {
  /** Loads the code before the first render, which is then that of the component itself. */
  load(): Promise<unknown>;
};

/**
 * A component whose code loads on its first render, or earlier; `waiting` is rendered until then. If the code can't be
 * loaded, the rest of the page stays, and a note says so until it can; `failed` renders the note and the parts around
 * it. Not React's `lazy`, because its Suspense delays a loaded component until 300 ms after the fallback, and its
 * failures end the page around it.
 */
export function deferred<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => null,
  failed = (props: P, note: ReactNode): ReactNode => (
    <>
      {note}
      {waiting(props)}
    </>
  ),
): Deferred<P> {
  let fetched: ComponentType<P> | null = null;
  const fetch = async () => (fetched ??= await load());
  function Component(props: P) {
    const [Loaded, setLoaded] = useState(() => fetched);
    const [failure, setFailure] = useState<LoadFailure | null>(null);
    useEffect(() => {
      if (Loaded || failure?.isRetried === false) return;
      const show = async () => {
        try {
          const component = await fetch();
          setLoaded(() => component);
        } catch (error) {
          setFailure({ error, isRetried: false });
        }
      };
      void show();
    }, [Loaded, failure]);
    if (Loaded) return <Loaded {...props} />;
    if (!failure) return waiting(props);
    const again = () => setFailure({ ...failure, isRetried: true });
    return failed(props, <LoadFailureNote error={failure.error} again={again} />);
  }
  return Object.assign(Component, { load: fetch });
}

/** `isRetried`: loading is being tried again. */
interface LoadFailure {
  error: unknown;
  isRetried: boolean;
}

interface LoadFailureProps {
  error: unknown;
  /** Loads once more. */
  again: () => void;
}

const IN_A_ROW = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, padding: 8 } as const;

/** Says that code could not be loaded. Loads it again on request, and when the network is back. */
function LoadFailureNote({ error, again }: LoadFailureProps) {
  useEffect(() => {
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [again]);
  return (
    <div style={IN_A_ROW} role="alert">
      <span title={error instanceof Error ? error.message : String(error)}>
        This part could not be loaded. Check the connection to Tagwright, then try again.
      </span>
      <Button size="small" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
