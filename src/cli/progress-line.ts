import { cutAt, printable } from './table.js'

/** Shows progress in one line of a terminal, and nothing if the standard error is not a terminal. */
export class ProgressLine {
  readonly #out = process.stderr

  show(text: string): void {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${cutAt(printable(text), Math.max(20, this.#out.columns - 1))}`)
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }
}
