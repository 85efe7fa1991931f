import { useEffect, useState } from 'react';
import type { TagUsage } from '#domain/usage';
import type { Client } from '../../client/client.ts';
import { isAbort, problemOf } from '../../client/errors.ts';
import { follow } from '../../client/follow.ts';

/** What names a tag, as far as it is known; `problem` says why it cannot be told. */
export interface KnownUsage {
  usage: TagUsage | null;
  problem: string | null;
}

const NOT_YET: KnownUsage = { usage: null, problem: null };

/** What names a tag, again whenever scripts or tags change. */
export function useTagUsage(client: Pick<Client, 'tags' | 'scripts'>, path: string): KnownUsage {
  const [known, setKnown] = useState(NOT_YET);

  useEffect(() => {
    const end = new AbortController();
    let asked = 0;
    const ask = async () => {
      const question = ++asked;
      const answer = await client.tags.usage({ path }, { signal: end.signal }).then(
        (usage): KnownUsage => ({ usage, problem: null }),
        (error: unknown): KnownUsage | null =>
          isAbort(error) ? null : { usage: null, problem: problemOf(error).message },
      );
      // A slower answer to an earlier question says less.
      if (answer && question === asked && !end.signal.aborted) setKnown(answer);
    };
    const changed = () => void ask();
    void follow((signal) => client.scripts.changes(undefined, { signal }), changed, end.signal);
    void follow((signal) => client.tags.changes(undefined, { signal }), changed, end.signal);
    void ask();
    return () => end.abort();
  }, [client, path]);

  return known;
}
