import type { ServerResponse } from 'node:http'

/** Calls back once, when a reply has left or its connection has closed. */
export function onceOver(raw: ServerResponse, tell: () => void): void {
  const over = () => {
    raw.off('finish', over).off('close', over)
    tell()
  }
  raw.on('finish', over).on('close', over)
}
