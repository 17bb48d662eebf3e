const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const WHOLE_UUID = new RegExp(`^${UUID.source}$`, 'i')

/** A default name: a kind, and the beginning of the id. */
const DEFAULT_NAME = /\b(workgroup|workspace|database)-([0-9a-f]{8})\b/g

/** Whether a text is an id as the mock draws them. */
export const isId = (text: string) => WHOLE_UUID.test(text)

/** Whether a text contains such an id. */
export const hasId = (text: string) => text.search(UUID) >= 0

/** Which id of the mock stands for which id of the service, one to one. They are bound at first use. */
export class Bindings {
  #theirs = new Map<string, string>()
  #ours = new Map<string, string>()
  /** For default names: beginnings of our ids, with those of theirs. A sandbox has 65,536, so some are shared. */
  #beginnings = new Map<string, readonly string[]>()

  /** @returns whether the two stand for each other from now on, or did already */
  bind(ours: string, theirs: string): boolean {
    if (this.#theirs.has(ours) || this.#ours.has(theirs)) return this.#theirs.get(ours) === theirs
    this.#theirs.set(ours, theirs)
    this.#ours.set(theirs, ours)
    const beginning = ours.slice(0, 8)
    if (isId(ours)) this.#beginnings.set(beginning, [theirs.slice(0, 8), ...(this.#beginnings.get(beginning) ?? [])])
    return true
  }

  /** The same, although either stood for another id. */
  rebind(ours: string, theirs: string): void {
    const [oldTheirs, oldOurs] = [this.#theirs.get(ours), this.#ours.get(theirs)]
    if (oldTheirs !== undefined) this.#ours.delete(oldTheirs)
    if (oldOurs !== undefined) this.#theirs.delete(oldOurs)
    this.#theirs.delete(ours)
    this.#ours.delete(theirs)
    this.bind(ours, theirs)
  }

  /** Remembers all. @returns a function that goes back to that */
  remember(): () => void {
    const [theirs, ours, beginnings] = [[...this.#theirs], [...this.#ours], [...this.#beginnings]]
    return () => {
      this.#theirs = new Map(theirs)
      this.#ours = new Map(ours)
      this.#beginnings = new Map(beginnings)
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

  /** A text of the mock as the service would say it, or has said it if there are several ways. */
  toTheirs(text: string, said = ''): string {
    const whole = this.#theirs.get(text)
    if (whole !== undefined) return whole
    if (text.length < 16) return text
    return text
      .replaceAll(UUID, (id) => this.#theirs.get(id) ?? id)
      .replaceAll(DEFAULT_NAME, (name, kind: string, beginning: string) => {
        const names = (this.#beginnings.get(beginning) ?? []).map((theirs) => `${kind}-${theirs}`)
        return names.find((one) => said.includes(one)) ?? names[0] ?? name
      })
  }

  /** A value of a request as the mock understands it. */
  toOurs<T>(value: T): T
  toOurs(value: unknown): unknown {
    if (typeof value === 'string') return this.#ours.get(value) ?? value
    if (Array.isArray(value)) return value.map((item) => this.toOurs(item as unknown))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.toOurs(item as unknown)]))
  }
}
