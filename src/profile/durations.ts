// Without TypeBox, which the options would load with it.

/** The speeds of `--transitions`, which decide how long transitions take. */
export const SPEEDS = ['instant', 'fast', 'realistic'] as const
export type Speed = (typeof SPEEDS)[number]

/** The shortest and longest duration, in milliseconds. */
export interface Bounds {
  readonly min: number
  readonly max: number
}

const minute = 60_000

/** Milliseconds at each speed. Observed were 135 to 150 s for a pause, 75 to 90 s for a resume; the rest is assumed. */
export const BUILT_IN_DURATIONS = {
  'workspace.create': { instant: 0, fast: 2000, realistic: 4 * minute },
  'workspace.pause': { instant: 0, fast: 1000, realistic: 142_000 },
  'workspace.resume': { instant: 0, fast: 2000, realistic: 78_000 },
  'workspace.resize': { instant: 0, fast: 2000, realistic: 2 * minute },
  'restore.run': { instant: 0, fast: 3000, realistic: 5 * minute },
  'workspace.delete': { instant: 0, fast: 1000, realistic: minute },
  'workspace.refresh': { instant: 0, fast: 1000, realistic: minute },
  'backup.run': { instant: 0, fast: 2000, realistic: 3 * minute }
} as const satisfies Record<string, Readonly<Record<Speed, number>>>

type TransitionName = keyof typeof BUILT_IN_DURATIONS

export const TRANSITION_NAMES = Object.keys(BUILT_IN_DURATIONS) as TransitionName[]

/** How long transitions take at each speed, if that is not built in. */
export type Durations = ReadonlyMap<string, Readonly<Record<Speed, Bounds>>>
