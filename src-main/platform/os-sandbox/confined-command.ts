/** How a host process is started, and all that it may reach. Paths are absolute. */
export interface ConfinedCommand {
  /** The program, a plain Node. */
  binary: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Its descriptors from 0 on; it inherits no others. */
  stdio: readonly ('ignore' | 'pipe')[];
  /** Files and folders that it may read; those that are missing are left out. */
  readable: readonly string[];
  writable: readonly WritableFolder[];
  /** How much it may take where the system can refuse it more; main ends it well before. */
  memoryBytes: number;
}

export interface WritableFolder {
  folder: string;
  /** Names of entries in it that stay out of reach. */
  hiddenFiles: readonly string[];
  hiddenFolders: readonly string[];
}

/** A command line that confines the program in it. */
export interface Wrapped {
  program: string;
  args: string[];
  /** How many processes stand between the one that is started and the program: each has the next as its only child. */
  between: number;
  /** What the program finds in its environment besides that of its command. */
  env?: NodeJS.ProcessEnv;
}
