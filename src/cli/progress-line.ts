import { cutAt, printable } from './table.js'

const { stderr } = process

/** Shows progress in one line of a terminal, and nothing if the standard error is not a terminal. */
export const progress = {
  show: (text: string) => {
    if (stderr.isTTY) stderr.write(`\r\x1b[K${cutAt(printable(text), Math.max(20, stderr.columns - 1))}`)
  },
  clear: () => {
    if (stderr.isTTY) stderr.write('\r\x1b[K')
  }
}
