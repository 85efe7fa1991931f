/** How a host process is started, and everything that it can reach. Paths are absolute. */
export interface ConfinedCommand {
  /** The program, a plain Node. */
  binary: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Its descriptors from 0 on; it inherits no others. */
  stdio: readonly ('ignore' | 'pipe')[];
  /** Files and folders that it can read; missing ones are skipped. */
  readable: readonly string[];
  writable: readonly WritableFolder[];
  /** Its limits if the system can enforce them; main ends it well before. */
  memoryBytes: number;
}

/** A sandbox allows only the host's own files, if it can; otherwise the whole folder except the hidden entries. */
export interface WritableFolder {
  folder: string;
  /** Names of the files that it creates, opens and deletes there. */
  ownFiles: readonly string[];
  /** How the names of its temporary files begin; they continue with hexadecimal digits. */
  temporary: string;
  /** Names of entries in it that stay inaccessible. */
  hiddenFiles: readonly string[];
  hiddenFolders: readonly string[];
}

/** A command line that starts the program confined. */
export interface Wrapped {
  program: string;
  args: string[];
  /** Number of processes between the started one and the program: each has the next as its only child. */
  between: number;
  /** Additional environment variables of the program. */
  env?: NodeJS.ProcessEnv;
}
