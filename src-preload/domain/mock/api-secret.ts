/** The public part of a named secret. The value never leaves main. */
export interface SecretInfo {
  name: string;
  /** RFC 3339 in UTC. */
  changedAt: string;
  /** Whether this installation can decrypt it; one that was sealed elsewhere must be set again. */
  readable: boolean;
}

export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** Shorter values can't be masked: they occur in texts by chance. */
export const SECRET_LENGTH = { min: 4, max: 8_192 } as const;
