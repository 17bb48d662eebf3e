/** The largest of some numbers; minus infinity if there are none. */
export const largest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), -Infinity)

/** The smallest of some numbers; infinity if there are none. */
export const smallest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity)
