// tap's output: a line for each file, the details of failures, and at the end their names.
import { Transform } from 'node:stream'
import { inspect } from 'node:util'
import { Parser } from 'tap-parser'

const MOST_DETAILS = 40
const MOST_NAMES = 8
const NOISE = new Set(['at', 'stdio', 'cwd', 'externalID', 'command', 'args', 'jobId'])

export default class Reporter extends Transform {
  #parser = new Parser()
  #failed = []
  #passed = 0
  #skipped = 0

  constructor() {
    super()
    this.#watch(this.#parser, [])
    // The coverage table follows after the tests.
    process.on('exit', (code) => {
      console.log(this.#summary(code))
    })
  }

  _transform(chunk, _encoding, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush(done) {
    this.#parser.on('complete', () => {
      done()
    })
    this.#parser.end()
  }

  /** @param path the names of the tests that this one is in */
  #watch(parser, path) {
    let failedBefore = 0
    parser.on('child', (child) => {
      failedBefore = this.#failed.length
      this.#watch(child, [...path, child.name])
    })
    parser.on('bailout', (reason) => {
      this.#fail([...path, reason])
    })
    parser.on('assert', ({ ok, name, skip, todo, diag, time, closingTestPoint }) => {
      if (skip || todo) {
        this.#skipped++
        this.push(`skipped ${[...path, name].join(' > ')}: ${skip || todo}\n`)
      } else if (ok) this.#passed += closingTestPoint ? 0 : 1
      // A test fails with its parts, or by itself, for example by a timeout.
      else if (!closingTestPoint || this.#failed.length === failedBefore) this.#fail([...path, name], diag)
      if (path.length === 0) this.push(`${ok ? 'ok' : 'FAILED'} ${name} ${((time ?? 0) / 1000).toFixed(1)} s\n`)
    })
  }

  #fail(path, diag) {
    const name = path.join(' > ')
    this.#failed.push(name)
    const details = Object.entries(diag ?? {})
      .filter(([key]) => !NOISE.has(key))
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value.trimEnd() : inspect(value, { depth: 5 })}`)
      .join('\n')
    const lines = details.split('\n').slice(0, MOST_DETAILS)
    this.push(`\nFAILED ${name}\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
  }

  #summary(code) {
    const counts = `Assertions: ${this.#passed} passed, ${this.#failed.length} failed, ${this.#skipped} skipped.`
    const more = this.#failed.length - MOST_NAMES
    return [
      counts + (code !== 0 && this.#failed.length === 0 ? ' Tap says above why that is not enough.' : ''),
      ...this.#failed.slice(0, MOST_NAMES),
      ...(more > 0 ? [`and ${more} more`] : [])
    ].join('\n')
  }
}
