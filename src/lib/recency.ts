interface Link<T> {
  readonly item: T
  older: Link<T> | undefined
  newer: Link<T> | undefined
}

/** Items in order of last use. Every operation takes constant time. */
export class Recency<T extends object> {
  readonly #links = new Map<T, Link<T>>()
  #oldest: Link<T> | undefined
  #newest: Link<T> | undefined

  /** The least recently used item; undefined if there is none. */
  get oldest(): T | undefined {
    return this.#oldest?.item
  }

  has(item: T): boolean {
    return this.#links.has(item)
  }

  /** Marks an item as just used, adding it if it is new. */
  touch(item: T): void {
    if (this.#newest?.item === item) return
    const link = this.#links.get(item) ?? { item, older: undefined, newer: undefined }
    this.#links.set(item, link)
    this.#unlink(link)
    link.older = this.#newest
    if (this.#newest === undefined) this.#oldest = link
    else this.#newest.newer = link
    this.#newest = link
  }

  remove(item: T): void {
    const link = this.#links.get(item)
    if (link === undefined) return
    this.#links.delete(item)
    this.#unlink(link)
  }

  #unlink(link: Link<T>): void {
    const { older, newer } = link
    if (older !== undefined) older.newer = newer
    else if (this.#oldest === link) this.#oldest = newer
    if (newer !== undefined) newer.older = older
    else if (this.#newest === link) this.#newest = older
    link.older = link.newer = undefined
  }
}
