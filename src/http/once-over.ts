import type { ServerResponse } from 'node:http'

/** Tells when a reply has left, or its connection has. */
export function onceOver(raw: ServerResponse, tell: () => void): void {
  const over = () => {
    raw.off('finish', over).off('close', over)
    tell()
  }
  raw.on('finish', over).on('close', over)
}
