/** Steps from the profile to the place that a note is about. */
export type Place = readonly (string | number)[]

export interface Note {
  readonly place: Place
  readonly text: string
  /** It needs a decision; otherwise it only says why something is as it is. */
  readonly isUnclear: boolean
}

/** Collects notes on a profile, which become comments in it. */
export class Notes {
  readonly all: Note[] = []

  explain(place: Place, text: string): void {
    this.all.push({ place, text, isUnclear: false })
  }

  /** Leaves a decision to the user. */
  doubt(place: Place, text: string): void {
    this.all.push({ place, text, isUnclear: true })
  }
}
