/** Such as `1 plan` or `3 replies`. */
export const quantity = (number: number, noun: string): string => `${number} ${plural(number, noun)}`

export function plural(number: number, noun: string): string {
  if (number === 1) return noun
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
