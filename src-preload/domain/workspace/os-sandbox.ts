/** One thing that the operating system can enforce on the processes that run scripts and SQL. */
export interface OsSandboxLayer {
  /** For people: `Files`, `Network`, `Other processes`, … */
  name: string;
  active: boolean;
  /** The mechanism, or why it is not enforced and what would help. */
  reason: string;
}

/** What the operating system enforces on script hosts and plant hosts here, whatever code runs in them. */
export interface OsSandboxState {
  /** `Linux`, `macOS`, `Windows`, or the system's own name. */
  system: string;
  /** `full`: files, network and other processes are out of reach. */
  protection: 'full' | 'partial' | 'none';
  layers: OsSandboxLayer[];
  /** A summary in one sentence. */
  summary: string;
}
