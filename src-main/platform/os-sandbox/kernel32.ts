import { createRequire } from 'node:module';

/** A handle of Windows. */
export type Handle = bigint;

/** The functions of Windows that Job Objects need, as documented for Win32. Any value except 0 is true. */
export interface Kernel32 {
  CreateJobObjectW(attributes: null, name: null): Handle | null;
  SetInformationJobObject(job: Handle, informationClass: number, information: Uint8Array, bytes: number): number;
  OpenProcess(access: number, inherit: number, pid: number): Handle | null;
  AssignProcessToJobObject(job: Handle, process: Handle): number;
  CloseHandle(handle: Handle): number;
  GetLastError(): number;
}

/** The system's own. Throws if koffi, which calls it, is not installed. */
export function loadKernel32(): Kernel32 {
  // Only loaded on Windows, from where it is installed: its binary cannot be bundled.
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  const library = koffi.load('kernel32.dll');
  const bind = (declaration: string) => library.func(declaration);
  return {
    CreateJobObjectW: bind('void *__stdcall CreateJobObjectW(void *, str16)'),
    SetInformationJobObject: bind('int __stdcall SetInformationJobObject(void *, int, void *, uint32_t)'),
    OpenProcess: bind('void *__stdcall OpenProcess(uint32_t, int, uint32_t)'),
    AssignProcessToJobObject: bind('int __stdcall AssignProcessToJobObject(void *, void *)'),
    CloseHandle: bind('int __stdcall CloseHandle(void *)'),
    GetLastError: bind('uint32_t __stdcall GetLastError()'),
  };
}
