import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';

/** The program that listens on a port, as far as the system shows it to this user. */
export interface PortOwner {
  pid: number | null;
  /** `python3 server.py`, or a short description if the system shows no more. */
  name: string;
}

const run = promisify(execFile);
const WITHIN_MS = 5_000;
/** Programs that are recognized by what they run. */
const INTERPRETER = /^(?:node|nodejs|python[\d.]*|java|ruby|perl|bun|deno|php)(?:\.exe)?$/i;

/** The program that listens on a TCP port of this machine; null if there is none or the system does not show it. */
export async function portOwner(port: number, platform: NodeJS.Platform = process.platform): Promise<PortOwner | null> {
  try {
    if (platform === 'linux') return linuxOwner(port);
    const options = { timeout: WITHIN_MS, windowsHide: true };
    if (platform === 'darwin') {
      return ownerInLsof((await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], options)).stdout);
    }
    if (platform !== 'win32') return null;
    const pid = pidInNetstat((await run('netstat', ['-ano', '-p', 'TCP'], options)).stdout, port);
    if (pid === null) return null;
    const { stdout } = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], options);
    return { pid, name: /^"([^"]+)"/m.exec(stdout)?.[1] ?? 'a program' };
  } catch {
    return null;
  }
}

/** `p4711`, `cnode`: one per line. */
export function ownerInLsof(text: string): PortOwner | null {
  const pid = /^p(\d+)$/m.exec(text)?.[1];
  return pid === undefined ? null : { pid: Number(pid), name: /^c(.+)$/m.exec(text)?.[1] ?? 'a program' };
}

/** `  TCP    127.0.0.1:4860   0.0.0.0:0   LISTENING   4711`; the word depends on the language of the system. */
export function pidInNetstat(text: string, port: number): number | null {
  for (const line of text.split('\n')) {
    const [protocol, local = '', remote = '', ...rest] = line.trim().split(/\s+/);
    const pid = Number(rest.at(-1));
    if (protocol === 'TCP' && local.endsWith(`:${port}`) && remote.endsWith(':0') && pid > 0) return pid;
  }
  return null;
}

/** The inode and the user of the socket that listens on the port, in the text of `/proc/net/tcp`. */
export function listenerInProc(text: string, port: number): { inode: string; uid: number } | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const line of text.split('\n')) {
    const [, local = '', , state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (state === '0A' && local.endsWith(`:${hex}`) && inode !== undefined) return { inode, uid: Number(uid) };
  }
  return null;
}

function linuxOwner(port: number): PortOwner | null {
  const found = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => listenerInProc(textOf(file), port)).find(Boolean);
  if (!found) return null;
  const socket = `socket:[${found.inode}]`;
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    const has = namesIn(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket);
    if (has) return { pid: Number(pid), name: programName(pid) };
  }
  return {
    pid: null,
    name: found.uid === process.getuid?.() ? 'a program' : `a program of the user with id ${found.uid}`,
  };
}

/** Only the names of the program and of the script that it interprets: further arguments may contain secrets. */
function programName(pid: string): string {
  const [first = '', script = ''] = textOf(`/proc/${pid}/cmdline`)
    .split('\0')
    .filter((part) => !part.startsWith('--'));
  const program = basename(linkOf(`/proc/${pid}/exe`) || first);
  if (/out[/\\]main[/\\](?:headless|desktop)\.js$/.test(script)) return 'Tagwright';
  return INTERPRETER.test(program) && script !== '' && !script.startsWith('-')
    ? `${program} ${basename(script)}`
    : program;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
