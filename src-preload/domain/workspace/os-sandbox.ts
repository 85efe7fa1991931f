/** One thing that the operating system can enforce on the processes that run scripts and SQL. */
export interface OsSandboxLayer {
  /** For people: `Files`, `Network`, `Other processes`, … */
  name: string;
  active: boolean;
  /** What enforces it, or why nothing does and what would help. */
  reason: string;
}

/** What the operating system enforces on script hosts and plant hosts here, whatever code runs in them. */
export interface OsSandboxState {
  /** `Linux`, `macOS`, `Windows`, or what the system calls itself. */
  system: string;
  /** `full`: files, network and other processes are out of reach. */
  protection: 'full' | 'partial' | 'none';
  layers: OsSandboxLayer[];
  /** All of it in one sentence. */
  summary: string;
}
