import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Unused one-time tokens and sessions that are kept, so that asking for many costs no memory: the oldest go first. */
const KEPT = 100;

const newSecret = () => randomBytes(32).toString('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Equal or not, in a time that says nothing about where they differ. */
function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** Who may talk to the host: bearers of the instance token, and browsers that exchanged a one-time token. */
export interface Access {
  /** What programs on this machine send as a bearer; it stands in the workspace folder, readable by its owner only. */
  readonly instanceToken: string;
  /** A token for one exchange. */
  issue(): string;
  /** Exchanges a one-time token for a session; null when it is unknown or used. */
  exchange(token: string): string | null;
  hasSession(session: string): boolean;
  isBearer(authorization: string | undefined): boolean;
}

export function createAccess(): Access {
  const instanceToken = newSecret();
  const unused = new Set<string>();
  const sessions = new Set<string>();
  const keep = (secrets: Set<string>) => {
    const secret = newSecret();
    secrets.add(secret);
    const [oldest] = secrets;
    if (secrets.size > KEPT && oldest !== undefined) secrets.delete(oldest);
    return secret;
  };
  return {
    instanceToken,
    issue: () => keep(unused),
    exchange: (token) => (unused.delete(token) ? keep(sessions) : null),
    hasSession: (session) => sessions.has(session),
    isBearer: (authorization) => {
      const given = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
      return given !== undefined && sameSecret(given, instanceToken);
    },
  };
}
