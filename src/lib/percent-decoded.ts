/** Undoes percent-encoding; a text that is not encoded properly stays. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
