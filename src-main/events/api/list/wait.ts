import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { ApiLimits } from '../limits.ts';
import type { Places } from '../places.ts';
import type { EventSource } from './event-source.ts';
import { Wakes } from './wakes.ts';

interface WaitParts {
  source: Pick<EventSource, 'onFeed'>;
  limits: Pick<ApiLimits, 'waitMs' | 'keepAliveMs'>;
  places: Places;
  closing: DisposableStack;
}

/** Between two checks after the first change, ms: many changes in a row cost one. */
const CHECK_MS = 100;

/**
 * Long polling for programs that can only GET: with `Prefer: wait=30` (RFC 7240), a list that would bring nothing new
 * waits up to 30 s for a change. A preference that cannot be met is ignored, as the RFC wants it.
 */
export class Waits {
  readonly #limits: WaitParts['limits'];
  readonly #wakes: Wakes;
  readonly #places: Places;

  constructor({ source, limits, places, closing }: WaitParts) {
    this.#limits = limits;
    this.#wakes = new Wakes(source, closing);
    this.#places = places;
  }

  /** Resolves when there is something new, when the time is over, or when the client has disconnected. */
  async until(request: Request, response: Response, hasNews: () => MaybePromise<boolean>): Promise<void> {
    const seconds = waitOf(request.headers.prefer);
    if (seconds === null) return;
    response.vary('Prefer');
    const release = this.#places.take(() => response.destroy());
    if (!release) return;
    const ms = Math.min(seconds * 1_000, this.#limits.waitMs);
    const { socket } = request;
    // Otherwise the server would take it for a client that does not read.
    socket.setTimeout(ms + this.#limits.keepAliveMs);
    try {
      await this.#wait(response, performance.now() + ms, hasNews);
      response.set('Preference-Applied', `wait=${ms / 1_000}`);
    } finally {
      socket.setTimeout(this.#limits.keepAliveMs);
      release();
    }
  }

  async #wait(response: Response, until: number, hasNews: () => MaybePromise<boolean>): Promise<void> {
    let isFirst = true;
    for (;;) {
      const change = this.#wakes.next();
      if (response.closed || (await hasNews())) return;
      const ms = until - performance.now();
      if (ms <= 0 || !(await change.within(ms, response))) return;
      if (isFirst) isFirst = false;
      else await pause(Math.max(0, Math.min(CHECK_MS, until - performance.now())));
    }
  }
}

/** The seconds of `Prefer: wait=30`; null without it. The first one counts (RFC 7240 2). */
export function waitOf(header: string | string[] | undefined): number | null {
  for (const preference of [header].flat().join(',').split(',')) {
    const [, digits] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return null;
}
