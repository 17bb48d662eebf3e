import { textOf } from '../body.js'

const RUN = /(?<![\w+/-])[A-Za-z0-9+/_-]{12,}={0,2}(?![\w+/=-])/g

/** Replaces what stands in base64 in a text: the text that it stands for is given to `mask`. */
export function replaceBase64(text: string, mask: (plain: string) => string): string {
  return text.replaceAll(RUN, (run) => {
    const isUrlSafe = /[-_]/.test(run)
    const encoding = isUrlSafe ? 'base64url' : 'base64'
    const bytes = Buffer.from(run, encoding)
    // Words can be read as base64, too; what comes back is no text then.
    const plain = textOf(bytes)
    if (plain === undefined || !/^[\t\n\r\x20-\x7e\u00a0-\uffff]+$/.test(plain)) return run
    const masked = mask(plain)
    if (masked === plain) return run
    const encoded = Buffer.from(masked).toString(encoding)
    return run.endsWith('=') ? encoded : encoded.replaceAll('=', '')
  })
}
