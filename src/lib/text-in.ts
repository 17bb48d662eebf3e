/** Whether the bytes of a file are UTF-16, in which PowerShell redirects output. */
export const isUtf16 = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xfe

/** The text in the bytes of a file, which may be UTF-16, without a byte order mark. */
export const textIn = (bytes: Buffer): string =>
  bytes.toString(isUtf16(bytes) ? 'utf16le' : 'utf8').replace(/^\ufeff/, '')
