/** A mutant that no test notices, and why that is right. */
export interface Survivor {
  readonly file: string
  /** A part of the line that it changes. */
  readonly line: string
  /** What stands there instead. */
  readonly replacement: string
  readonly reason: string
}

/** Every mutant that is known to survive. */
export const SURVIVORS: readonly Survivor[] = []
