import { inTexts } from '../lib/json.js'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const WHOLE_UUID = new RegExp(`^${UUID.source}$`, 'i')

/** Whether a text is a UUID, as the mock's ids are. */
export const isId = (text: string) => WHOLE_UUID.test(text)

export const hasId = (text: string) => text.search(UUID) >= 0

/** The mock's ids for those of the service, one to one. They are bound at first use. */
export class Bindings {
  #theirs = new Map<string, string>()
  #ours = new Map<string, string>()

  /** @returns whether the two are now bound to each other */
  bind(ours: string, theirs: string): boolean {
    if (this.#theirs.has(ours) || this.#ours.has(theirs)) return this.#theirs.get(ours) === theirs
    this.#theirs.set(ours, theirs)
    this.#ours.set(theirs, ours)
    return true
  }

  /** Binds two ids, even if either is bound to another. */
  rebind(ours: string, theirs: string): void {
    this.forget(ours)
    this.forget(this.#ours.get(theirs) ?? ours)
    this.bind(ours, theirs)
  }

  /** Ends the binding of an id of the mock. */
  forget(ours: string): void {
    this.#ours.delete(this.#theirs.get(ours) ?? '')
    this.#theirs.delete(ours)
  }

  /** @returns a function that restores the present bindings */
  remember(): () => void {
    const [theirs, ours] = [[...this.#theirs], [...this.#ours]]
    return () => {
      this.#theirs = new Map(theirs)
      this.#ours = new Map(ours)
    }
  }

  /** The mock's id for one of the service. */
  oursFor(theirs: string): string | undefined {
    return this.#ours.get(theirs)
  }

  /** The service's id for one of the mock. */
  theirsFor(ours: string): string | undefined {
    return this.#theirs.get(ours)
  }

  /** A text of the mock with the service's ids. Other values stay as they are. */
  toTheirs<T>(value: T): T
  toTheirs(value: unknown): unknown {
    if (typeof value !== 'string') return value
    return this.#theirs.get(value) ?? value.replaceAll(UUID, (id) => this.#theirs.get(id) ?? id)
  }

  /** A value of the service with the mock's ids. */
  toOurs(value: unknown): unknown {
    return inTexts(value, (text) => this.#ours.get(text) ?? text)
  }
}
