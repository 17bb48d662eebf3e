import type { RawChange, Shape } from '../db/row-watcher.js'
import { type AnsweredRequest, replyText } from '../journal/journal.js'
import type { Recorder, Replacement, WholeState } from '../journal/recorder.js'
import type { Step } from '../journal/step.js'
import { parsed } from '../lib/parsed.js'
import { isSecret, mask, MASKED, mayHoldSecret } from '../lib/secrets.js'
import { machineTime } from '../lib/time.js'
import type { ClockState } from '../sim/clock.js'
import { type Manifest, MAX_LINE } from './format.js'

interface Lines {
  append: (line: string) => void
  end: () => void
}

/** Minimum number of row changes between two checkpoints; a larger sandbox needs as many as it has rows. */
export const CHECKPOINT_EVERY = 500

/** How long it waits after lines were lost. */
const RETRY_MS = 5000

/** Writes the steps of one sandbox as lines, without secrets. */
export class FileRecorder implements Recorder {
  #write: ReturnType<typeof rowWriter> | undefined
  #step = 0
  #isBegun = false
  #isInterrupted = true
  #isEnded = false
  /** When lines were lost, until the next checkpoint. */
  #lost: number | undefined
  /** Row changes until the next checkpoint. */
  #left = 0
  #draws = 0
  #clock: ClockState | undefined

  constructor(
    private readonly lines: Lines,
    private readonly manifest: () => Manifest
  ) {}

  /** The number of the last step. */
  get step(): number {
    return this.#step
  }

  get needsState(): boolean {
    if (this.#isEnded) return false
    return this.#lost === undefined ? this.#isInterrupted || this.#left <= 0 : machineTime() - this.#lost >= RETRY_MS
  }

  get needsDocument(): boolean {
    return !this.#isBegun
  }

  begin(state: WholeState): void {
    if (!this.#isBegun) {
      this.#isBegun = true
      const manifest = this.manifest()
      this.#write = rowWriter(manifest.shapes)
      this.#append(JSON.stringify(manifest))
      if (state.document !== undefined) this.#append(JSON.stringify({ kind: 'state', state: mask(state.document) }))
    } else if (this.#lost !== undefined) {
      this.#lost = undefined
      this.#append(`{"step":${++this.#step},"kind":"gap"}`)
    }
    this.#append(`{"kind":"checkpoint","after":${this.#step},${this.#whole(state)}}`)
  }

  add({ id, fired, at, changes, draws = this.#draws, clock = this.#clock }: Step): void {
    const isMoved = draws !== this.#draws
    const isSet = JSON.stringify(clock) !== JSON.stringify(this.#clock)
    const isChange = fired !== undefined || changes.length > 0 || isMoved || isSet
    if (this.#isOff || !isChange) return
    const head = {
      step: ++this.#step,
      kind: fired === undefined ? 'change' : 'event',
      id,
      at,
      ...(fired === undefined ? {} : { event: { kind: fired.kind, resource: fired.resource } }),
      ...(isMoved ? { draws } : {}),
      ...(isSet ? { clock } : {})
    }
    this.#draws = draws
    this.#clock = clock
    this.#append(`${JSON.stringify(head).slice(0, -1)},"changes":${this.#listOf(changes)}}`)
    this.#left -= changes.length
  }

  replace(id: string, at: number, by: Replacement, state: WholeState): void {
    if (this.needsState) this.begin(state)
    if (this.#isOff) return
    this.#append(`{"step":${++this.#step},"kind":"${by}","id":${JSON.stringify(id)},"at":${at},${this.#whole(state)}}`)
  }

  request(answered: AnsweredRequest): void {
    if (this.#isOff) return
    const { id, at, received, replied, trace, call, outcome } = answered
    const { operation = null, isControl, stub, method, path, params, query, body, isBodyOmitted } = call
    const { status = null, error, retryAfter, fault } = outcome
    const reply = replyText(answered)
    const request = {
      id,
      at,
      received,
      replied,
      trace,
      operation,
      ...(isControl ? { control: true } : {}),
      stub,
      method,
      path,
      params,
      query,
      ...(isBodyOmitted === true ? { body_omitted: true } : {}),
      status,
      ...(error === undefined
        ? {}
        : { error: { condition: error.condition, message: error.message, details: error.details } }),
      retry_after: retryAfter,
      fault
    }
    this.#append(
      `{"step":${++this.#step},"kind":"request",${JSON.stringify(request).slice(1, -1)}` +
        (body === undefined ? '' : `,"body":${JSON.stringify(body)}`) +
        (reply === undefined ? '}' : `,"reply":${replyAsJson(reply)}}`)
    )
  }

  interrupt(): void {
    this.#isInterrupted = true
  }

  end(): void {
    if (this.#isEnded) return
    if (this.#isBegun) this.#append('{"kind":"end"}')
    this.#isEnded = true
    this.lines.end()
  }

  /** Notes that lines were lost. */
  lose(): void {
    this.#lost = machineTime()
  }

  /** Whether steps cannot be written now. */
  get #isOff(): boolean {
    return !this.#isBegun || this.#isEnded || this.#lost !== undefined
  }

  #whole({ org, random, clock, rows }: WholeState): string {
    this.#isInterrupted = false
    this.#left = Math.max(CHECKPOINT_EVERY, rows.length)
    this.#draws = random.draws
    this.#clock = clock
    const parts = JSON.stringify({ org, random, clock })
    return `${parts.slice(1, -1)},"rows":${this.#listOf(rows)}`
  }

  #listOf(changes: readonly RawChange[]): string {
    return `[${changes.map(this.#write!).join(',')}]`
  }

  #append(line: string): void {
    if (this.#lost !== undefined || this.#isEnded) return
    if (line.length > MAX_LINE) this.lose()
    else this.lines.append(line)
  }
}

/** Makes a function that writes row changes as JSON, without secrets. */
export function rowWriter(shapes: readonly Shape[]): (change: RawChange) => string {
  /** Positions of secret values, by code. */
  const secrets = shapes.map(({ kind, columns }) => {
    const all = kind === 'update' ? [...columns, ...columns] : columns
    return new Set(all.flatMap((column, position) => (isSecret(column) ? [position] : [])))
  })
  return ([code, text]) => `[${code},${masked(text, secrets[code]!)}]`
}

function masked(text: string, secret: ReadonlySet<number>): string {
  if (secret.size === 0 && !mayHoldSecret(text)) return text
  const values = JSON.parse(text) as unknown[]
  return JSON.stringify(values.map((value, position) => (secret.has(position) ? MASKED : mask(value))))
}

/** A reply as JSON, without secrets. */
export function replyAsJson(text: string): string {
  const isJson = /^[[{]/.test(text)
  if (isJson && !mayHoldSecret(text) && !text.includes('\n')) return text
  return JSON.stringify(mask(isJson ? parsed(text) : text))
}
