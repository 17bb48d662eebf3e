/** Parses JSON. @returns the text itself if it is not JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
