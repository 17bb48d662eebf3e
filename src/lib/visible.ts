/** The end of the error for a key or a token that is not {@link isVisible}. */
export const NOT_VISIBLE = 'must be a text of visible ASCII characters'

/** Whether a text can be sent as a key or token in a header. */
export function isVisible(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)
}
