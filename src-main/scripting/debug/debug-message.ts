import { type DebugVariable, PAUSE_REASONS, type PauseReason } from '#domain/run/debug';
import type { RunError } from '#domain/run/run';
import { isJsonObject, type Json } from '#domain/text/json';
import { checkCount, ProtocolError } from '../../platform/host-pipe/checks.ts';
import { checkError } from '../sandbox/supervisor/check-message.ts';

/** A frame of a paused run as its host names it: indexes of its function and point. */
export interface HostFrame {
  fn: number;
  point: number;
  evaluates: boolean;
}

/** What the reply to a question is: variables, one variable, an error of the author's code, or frames. */
export type HostReply = DebugVariable[] | DebugVariable | { error: RunError } | { frames: HostFrame[] };

/** A message of the debugger in the realm. */
export type HostMessage =
  | { kind: 'ask' }
  | { kind: 'log'; text: string; point: number }
  | { kind: 'reply'; reply: HostReply }
  | {
      kind: 'paused';
      reason: PauseReason;
      frames: HostFrame[];
      /** The thrown value, and whether it will be caught. */
      error?: { error: RunError; isCaught: boolean };
      title?: string;
    };

const MAX_FRAMES = 200;
const MAX_VARIABLES = 100_000;
const MAX_TEXT = 20_000;

/** Checks a message of a host, which may be anything. Throws ProtocolError for one that no host of ours sends. */
export function checkDebugMessage(message: unknown): HostMessage {
  if (!isJsonObject(message)) throw new ProtocolError('a message of a debugger that is not an object');
  if (message['ask'] === true) return { kind: 'ask' };
  if ('reply' in message) return { kind: 'reply', reply: checkReply(message['reply']) };
  if (typeof message['log'] === 'string') {
    return { kind: 'log', text: checkText(message['log']), point: checkCount(message['point']) };
  }
  const reason = PAUSE_REASONS.find((one) => one === message['paused']);
  if (reason === undefined) throw new ProtocolError('an impossible pause');
  const { error, caught, title } = message;
  return {
    kind: 'paused',
    reason,
    frames: checkFrames(message['frames']),
    ...(error !== undefined && { error: { error: checkError(error), isCaught: caught === true } }),
    ...(title !== undefined && { title: checkText(title) }),
  };
}

function checkFrames(frames: Json | undefined): HostFrame[] {
  if (!Array.isArray(frames) || frames.length > MAX_FRAMES) throw new ProtocolError('an impossible list of frames');
  return frames.map(checkFrame);
}

function checkFrame(frame: Json): HostFrame {
  if (!isJsonObject(frame)) throw new ProtocolError('a frame that is not an object');
  return { fn: checkCount(frame['fn']), point: checkCount(frame['point']), evaluates: frame['evaluates'] === true };
}

function checkReply(reply: Json | undefined): HostReply {
  if (Array.isArray(reply)) {
    if (reply.length > MAX_VARIABLES) throw new ProtocolError('too many variables');
    return reply.map(checkVariable);
  }
  if (isJsonObject(reply) && 'error' in reply) return { error: checkError(reply['error']) };
  if (isJsonObject(reply) && 'frames' in reply) return { frames: checkFrames(reply['frames']) };
  return checkVariable(reply);
}

function checkVariable(value: Json | undefined): DebugVariable {
  if (!isJsonObject(value)) throw new ProtocolError('a variable that is not an object');
  const { name, text, type, ref = 0, length = 0 } = value;
  return {
    name: checkText(name),
    text: checkText(text),
    type: checkText(type),
    ref: checkCount(ref),
    length: checkCount(length),
  };
}

function checkText(text: unknown): string {
  if (typeof text !== 'string' || text.length > MAX_TEXT) throw new ProtocolError('an impossible text of a debugger');
  return text;
}
