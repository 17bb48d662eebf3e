import type { Value } from '../db/row-history.js'
import type { RawChange } from '../db/row-watcher.js'
import type { PreparedState } from '../documents/schemas.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { embeddedDefaults } from '../options.js'
import type { Profile } from '../profile/profile.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { openControlPlane } from '../test-control/open-control-plane.js'
import type { CheckpointLine, Line, Manifest, WrittenChange } from './format.js'
import { playedState } from './played-state.js'
import { RecordingError } from './recording-error.js'

/** The largest number that options take, because the recording was within its server's limits. */
const MOST = 2 ** 31 - 1

/** Row changes per slice. */
const SLICE = 100

type Whole = Omit<CheckpointLine, 'kind' | 'after'>

/** Plays a recording back in a database in memory, and reads the state after any step. */
export class Playback {
  /** Applied only when the state is read, because the next checkpoint replaces it. */
  #whole: Whole | undefined
  #changes: WrittenChange[] = []
  #isBegun = false
  /** undefined: must be read again. */
  #state: PreparedState | undefined
  readonly #document: ReturnType<typeof playedState>

  /** @param codes those in this version's database, by those in the recording */
  private constructor(
    readonly plane: ControlPlane,
    readonly sandbox: Sandbox,
    private readonly codes: readonly number[]
  ) {
    this.#document = playedState(plane, sandbox)
  }

  /** @throws {RecordingError} if the recording was made under another profile, or by a version with other tables */
  static async begin(manifest: Manifest, profile: Profile): Promise<Playback> {
    requireProfile(manifest, profile)
    const options = { ...embeddedDefaults(), timelineEntries: MOST, maxResources: MOST, journalRequests: 1 }
    const plane = openControlPlane(options, profile)
    try {
      const codes = manifest.shapes.map(({ table, kind, columns }) => {
        const code = plane.shapes.findIndex((shape) => shape.table === table && shape.kind === kind)
        const known = plane.shapes[code]?.columns
        if (known?.length !== columns.length || !columns.every((column, index) => column === known[index]))
          throw new RecordingError(`has other tables than this version; use svc-mock ${manifest.version}`)
        return code
      })
      return new Playback(plane, await plane.sandboxes.create('recording'), codes)
    } catch (error) {
      plane.close()
      throw error
    }
  }

  apply(line: Line): void {
    if ('rows' in line) this.#replace(line)
    else if ('changes' in line) {
      if (!this.#isBegun) throw new RecordingError(`is damaged: step ${line.step} comes before the first checkpoint`)
      const { draws, clock } = line
      for (const change of line.changes) this.#changes.push(change)
      if (draws !== undefined) this.sandbox.random.draws = draws
      if (clock !== undefined) this.sandbox.clock = clock
      // While the clock moves, events fire before it reaches its new time.
      const { mode, base } = this.sandbox.clock
      if (line.kind === 'event' && mode !== 'real' && base < line.at)
        this.sandbox.clock = { ...this.sandbox.clock, base: line.at }
      this.#state = undefined
    }
  }

  /**
   * The state document after the last line, in the profile's words; undefined before the first checkpoint. Unchanged
   * parts are the same objects as before.
   */
  get state(): PreparedState | undefined {
    return finish(this.readState())
  }

  /** {@link state}, in slices. */
  *readState(): Slices<PreparedState | undefined> {
    if (!this.#isBegun) return undefined
    try {
      return (this.#state ??= yield* this.#catchUp())
    } catch (error) {
      throw error instanceof RecordingError
        ? error
        : new RecordingError(`is damaged: ${(error as Error).message}`, { cause: error })
    }
  }

  close(): void {
    this.plane.close()
  }

  #replace({ org, random, clock, rows }: Whole): void {
    this.#isBegun = true
    this.#whole = { org, random, clock, rows }
    this.#changes = []
    this.#state = undefined
    Object.assign(this.sandbox, { orgId: org.id, orgName: org.name, random: { ...random }, clock })
  }

  *#catchUp(): Slices<PreparedState> {
    const [whole, changes] = [this.#whole, this.#changes]
    this.#whole = undefined
    this.#changes = []
    if (whole !== undefined) {
      this.plane.history.clear(this.sandbox.key)
      yield* this.#redo(whole.rows)
    }
    yield* this.#redo(changes)
    if (whole !== undefined) return yield* this.#document.read()
    return this.#document.follow(changes.map((change) => this.plane.describeChange(this.toRaw(change))))
  }

  *#redo(changes: Iterable<WrittenChange>): Slices<void> {
    let count = 0
    for (const [code, values] of changes) {
      this.plane.history.redo(this.#codeHere(code, values), values as readonly Value[], this.sandbox.key)
      if (++count % SLICE === 0) yield
    }
  }

  /** Translates a row change to this version's codes. @throws {RecordingError} if it is damaged */
  toRaw([code, values]: WrittenChange): RawChange {
    return [this.#codeHere(code, values), JSON.stringify(values)]
  }

  /** @throws {RecordingError} if the values do not fit the code's table */
  #codeHere(code: number, values: readonly unknown[]): number {
    const known = this.codes[code]
    const shape = known === undefined ? undefined : this.plane.shapes[known]
    const expected = (shape?.columns.length ?? 0) * (shape?.kind === 'update' ? 2 : 1) + 1
    if (known === undefined || values.length !== expected || !Number.isSafeInteger(values.at(-1)))
      throw new RecordingError('is damaged: a row change does not fit its table')
    return known
  }
}

/** @throws {RecordingError} if a recording was made under another profile */
export function requireProfile(manifest: Manifest, profile: Profile): void {
  if (manifest.profile === profile.name) return
  throw new RecordingError(
    `was made under the profile ${manifest.profile}, not ${profile.name}; name its file in --profile`
  )
}
