import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Settings } from '#domain/workspace/settings';

/** Maximum number of unused links and sessions, to limit the memory that requests can use: the oldest are dropped. */
const KEPT = 100;

const newSecret = () => randomBytes(32).toString('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time. */
function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** How long links and sessions are valid, ms. */
export interface AccessTimes {
  /** From the issue of a link to its use. */
  linkMs: number;
  /** From the last use of a session; one with an open window does not expire. */
  sessionMs: number;
}

/** From the settings of a workspace. */
export const accessTimes = (settings: Pick<Settings, 'ui.linkMinutes' | 'ui.sessionHours'>): AccessTimes => ({
  linkMs: settings['ui.linkMinutes'] * 60_000,
  sessionMs: settings['ui.sessionHours'] * 3_600_000,
});

/**
 * A browser's credentials in exchange for a link. The session is a cookie, which browsers send to every port of this
 * machine. The page stores the key in the storage of its origin, which no other port can read; the RPC requires both.
 */
export interface BrowserSession {
  session: string;
  key: string;
}

/** Access control of the host: programs with the instance token, and browsers that exchanged the token of a link. */
export interface Access {
  /** The bearer token of programs on this machine; it is in the workspace folder, readable by its owner only. */
  readonly instanceToken: string;
  /** A token for one exchange. */
  issue(): string;
  /** Exchanges the token of a link for a session; null if it is unknown, used or expired. */
  exchange(token: string): BrowserSession | null;
  /** Whether the session is valid. Pages only need the session; the RPC also needs the key, which counts as a use. */
  hasSession(session: string, key?: string): boolean;
  /**
   * Keeps a session from expiring while one of its windows is open. `end` is called at sign-out. Returns a function to
   * call when the window closes.
   */
  opened(session: string, end: () => void): () => void;
  /** Ends all sessions with their windows, and all unused links. Returns the number of sessions. */
  signOut(): number;
  isBearer(authorization: string | undefined): boolean;
}

interface SessionState {
  key: string;
  usedAt: number;
  windows: Set<() => void>;
}

export function createAccess(times: () => AccessTimes, now: () => number = Date.now): Access {
  const instanceToken = newSecret();
  /** Tokens of unused links, with the time when they were issued. */
  const links = new Map<string, number>();
  const sessions = new Map<string, SessionState>();

  const isOver = ({ usedAt, windows }: SessionState) => windows.size === 0 && now() - usedAt > times().sessionMs;
  /** The session, unless it has expired. */
  const find = (id: string): SessionState | null => {
    const session = sessions.get(id);
    if (!session || !isOver(session)) return session ?? null;
    sessions.delete(id);
    return null;
  };
  const makeRoom = () => {
    for (const [id, session] of sessions) if (isOver(session)) sessions.delete(id);
    const [unused] = [...sessions].find(([, { windows }]) => windows.size === 0) ?? [];
    if (sessions.size >= KEPT && unused !== undefined) sessions.delete(unused);
  };

  return {
    instanceToken,
    issue: () => {
      const token = newSecret();
      links.set(token, now());
      const [oldest] = links.keys();
      if (links.size > KEPT && oldest !== undefined) links.delete(oldest);
      return token;
    },
    exchange: (token) => {
      const issuedAt = links.get(token);
      links.delete(token);
      if (issuedAt === undefined || now() - issuedAt > times().linkMs) return null;
      makeRoom();
      const made = { session: newSecret(), key: newSecret() };
      sessions.set(made.session, { key: made.key, usedAt: now(), windows: new Set() });
      return made;
    },
    hasSession: (id, key) => {
      const session = find(id);
      if (session === null || key === undefined) return session !== null;
      if (!sameSecret(key, session.key)) return false;
      // The last used session is the last of the map.
      sessions.delete(id);
      sessions.set(id, session);
      session.usedAt = now();
      return true;
    },
    opened: (id, end) => {
      const session = sessions.get(id);
      session?.windows.add(end);
      return () => {
        session?.windows.delete(end);
        if (session) session.usedAt = now();
      };
    },
    signOut: () => {
      const ended = [...sessions.values()].filter((session) => !isOver(session));
      sessions.clear();
      links.clear();
      for (const { windows } of ended) for (const end of windows) end();
      return ended.length;
    },
    isBearer: (authorization) => {
      const given = bearerOf(authorization);
      return given !== null && sameSecret(given, instanceToken);
    },
  };
}

/** The token of an Authorization header `Bearer TOKEN`. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
