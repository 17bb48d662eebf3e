import { cutAt, printable } from './table.js'

/** The line of a terminal that says what is being done. Elsewhere, it says nothing. */
export class ProgressLine {
  readonly #out = process.stderr

  show(text: string): void {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${cutAt(printable(text), Math.max(20, this.#out.columns - 1))}`)
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }
}
