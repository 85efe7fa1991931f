import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from '../procedure.ts';
import * as s from '../schemas.ts';

export const eventsApi = {
  status: procedure.read.output(s.eventsApiStatus),
  /** The newest requests of external tools, oldest first, at most 1,000; those after the given number. */
  requests: procedure.read.input(z.object({ after: z.int().nonnegative().optional() })).output(z.array(s.apiRequest)),
  /** Headers and the beginning of the bodies of a request and its response, secrets masked; null if no longer kept. */
  request: procedure.read
    .input(z.object({ seq: z.int().positive() }))
    .output(z.object({ messages: s.apiMessages.nullable() })),
  /** The stored requests first, then new ones, in at most 10 batches a second; a slow reader sees a gap in `seq`. */
  watchRequests: procedure.watch.output(eventIterator(z.array(s.apiRequest))),
};
