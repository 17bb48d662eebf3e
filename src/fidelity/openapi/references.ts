import { isObject, type Json, pointerStep } from '../../lib/json.js'
import { percentDecoded } from '../percent-decoded.js'

/** References that lead from one to the next. More are a circle. */
const MOST_STEPS = 100

/** Follows the references within a document. Nothing outside it is ever read. */
export class References {
  /** References to other documents. */
  readonly remote = new Set<string>()
  /** References to nothing, and circles. */
  readonly broken = new Set<string>()
  readonly #document: unknown

  constructor(document: unknown) {
    this.#document = document
  }

  /** What a part of the document stands for; an object without fields if its reference leads nowhere. */
  resolve(part: unknown): Json {
    let found = part
    for (let step = 0; isObject(found) && typeof found['$ref'] === 'string'; step++) {
      const { $ref } = found
      if (step === MOST_STEPS) {
        this.broken.add($ref)
        return {}
      }
      found = this.target($ref)
    }
    return isObject(found) ? found : {}
  }

  /** What a reference leads to, which may be another one; undefined if that is not in the document. */
  target(reference: string): unknown {
    if (!reference.startsWith('#')) {
      this.remote.add(reference)
      return undefined
    }
    const found = this.#at(reference.slice(1))
    if (found === undefined) this.broken.add(reference)
    return found
  }

  #at(pointer: string): unknown {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined
    let found = this.#document
    for (const step of pointer.split('/').slice(1)) {
      const name = pointerStep(percentDecoded(step))
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
      found = (found as Json)[name]
    }
    return found
  }
}
