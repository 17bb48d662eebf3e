// Makes calls against a server that may not survive them, and collects the outcomes.
import { once } from 'node:events'
import { Agent, request } from 'node:http'

/** An aborted process takes a moment to end. */
const END_MS = 3000

export class Caller {
  #replies = new Map()
  #agent = new Agent({ maxSockets: Infinity })
  #server
  #timeout
  /** The duration of the longest call, in milliseconds. */
  longest = 0

  /** @param timeout milliseconds after which a call is given up */
  constructor(server, timeout) {
    this.#server = server
    this.#timeout = timeout
  }

  /** Whether the server runs, and answers. */
  get isWell() {
    const { exitCode, signalCode } = this.#server.child
    return exitCode === null && signalCode === null && !this.#replies.has(this.#late)
  }

  /** The replies, with their numbers. */
  get summary() {
    return [...this.#replies].map(([reply, count]) => (count === 1 ? reply : `${count} × ${reply}`)).join(', ')
  }

  /** Makes a measured call. After one without a reply, it makes no more. */
  async call(method, path, key, body) {
    if (!this.isWell) return
    const payload = textOf(body)
    const before = performance.now()
    const reply = await this.#ask({ method, path, key, body: payload, isKept: false }).then(
      ({ status }) => String(status),
      async (error) =>
        error === this.#late ? this.#late : (await this.#hasEnded()) ? 'none: the server ended' : error.message
    )
    this.longest = Math.max(this.longest, performance.now() - before)
    this.#replies.set(reply, (this.#replies.get(reply) ?? 0) + 1)
  }

  /** Makes a call that must succeed, and is not measured. @returns the text of its reply */
  async prepare(method, path, key, body) {
    const { status, text } = await this.#ask({ method, path, key, body: textOf(body), isKept: true })
    if (status >= 300) throw new Error(`${status} ${JSON.parse(text).Message}`.slice(0, 200))
    return text
  }

  get #late() {
    return `none in ${this.#timeout / 1000} s`
  }

  #ask({ method, path, key, body, isKept }) {
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const asked = request(`${this.#server.url}${path}`, { method, headers, agent: this.#agent }, (reply) => {
        const chunks = []
        // The reply to a measured call is read and discarded.
        reply
          .on('data', (chunk) => {
            if (isKept) chunks.push(chunk)
          })
          .on('error', reject)
        reply.on('end', () => {
          resolve({ status: reply.statusCode, text: Buffer.concat(chunks).toString() })
        })
      })
      const timer = setTimeout(() => {
        reject(this.#late)
        asked.destroy()
      }, this.#timeout)
      asked
        .on('error', reject)
        .on('close', () => {
          clearTimeout(timer)
        })
        .end(body)
    })
  }

  async #hasEnded() {
    const { child } = this.#server
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, 'exit', { signal: AbortSignal.timeout(END_MS) }).catch(() => undefined)
    }
    return child.exitCode !== null || child.signalCode !== null
  }
}

const textOf = (body) => (typeof body === 'object' ? JSON.stringify(body) : body)
