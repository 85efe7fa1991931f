import type { Handle, Kernel32 } from './kernel32.ts';
import type { Grip } from './confined-child.ts';

/** JOBOBJECT_EXTENDED_LIMIT_INFORMATION of 64-bit Windows: its size, and the offsets of the members to set. */
export const EXTENDED_LIMITS = { bytes: 144, LimitFlags: 16, ActiveProcessLimit: 40, ProcessMemoryLimit: 112 } as const;
const EXTENDED_LIMIT_CLASS = 9;
const UI_RESTRICTIONS_CLASS = 4;

const LIMIT_ACTIVE_PROCESS = 0x8;
const LIMIT_PROCESS_MEMORY = 0x100;
const LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x400;
const LIMIT_KILL_ON_JOB_CLOSE = 0x2000;
/** Windows of other processes, clipboard, settings of the system and display, global atoms, desktops, sign-out. */
const EVERY_UI_RESTRICTION = 0xff;

const MAY_SET_QUOTA = 0x100;
const MAY_TERMINATE = 0x1;

/**
 * A Job Object of Windows with one process in it, which cannot start another one, has limited memory and ends with this
 * object, so with main at the latest.
 */
export class JobObject implements Grip {
  readonly #kernel: Kernel32;
  #handle: Handle | null;

  /**
   * Throws an Error with the name of the failed Windows call.
   * @param restricted without the user interface. Windows puts no process of another job into such a job
   */
  constructor(kernel: Kernel32, memoryBytes: number, restricted: boolean) {
    this.#kernel = kernel;
    this.#handle = kernel.CreateJobObjectW(null, null);
    if (this.#handle === null) throw refused(kernel, 'CreateJobObject');
    try {
      this.allowMemory(memoryBytes);
      if (restricted) this.#set(UI_RESTRICTIONS_CLASS, number32(EVERY_UI_RESTRICTION));
    } catch (thrown) {
      this.release();
      throw thrown;
    }
  }

  /** Puts a process into it. Throws the errors of the constructor. */
  hold(pid: number): void {
    const kernel = this.#kernel;
    const process = kernel.OpenProcess(MAY_SET_QUOTA | MAY_TERMINATE, 0, pid);
    if (process === null) throw refused(kernel, 'OpenProcess');
    try {
      if (this.#handle === null || kernel.AssignProcessToJobObject(this.#handle, process) === 0) {
        throw refused(kernel, 'AssignProcessToJobObject');
      }
    } finally {
      kernel.CloseHandle(process);
    }
  }

  allowMemory(bytes: number): void {
    this.#set(EXTENDED_LIMIT_CLASS, extendedLimits(bytes));
  }

  release(): void {
    if (this.#handle !== null) this.#kernel.CloseHandle(this.#handle);
    this.#handle = null;
  }

  #set(informationClass: number, information: Uint8Array): void {
    if (this.#handle === null) return;
    const kernel = this.#kernel;
    if (kernel.SetInformationJobObject(this.#handle, informationClass, information, information.length) === 0) {
      throw refused(kernel, 'SetInformationJobObject');
    }
  }
}

function extendedLimits(memoryBytes: number): Uint8Array {
  const limits = Buffer.alloc(EXTENDED_LIMITS.bytes);
  const flags =
    LIMIT_ACTIVE_PROCESS | LIMIT_PROCESS_MEMORY | LIMIT_DIE_ON_UNHANDLED_EXCEPTION | LIMIT_KILL_ON_JOB_CLOSE;
  limits.writeUInt32LE(flags, EXTENDED_LIMITS.LimitFlags);
  limits.writeUInt32LE(1, EXTENDED_LIMITS.ActiveProcessLimit);
  limits.writeBigUInt64LE(BigInt(memoryBytes), EXTENDED_LIMITS.ProcessMemoryLimit);
  return limits;
}

function number32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function refused(kernel: Kernel32, call: string): Error {
  return new Error(`${call}: Windows error ${kernel.GetLastError()}`);
}
