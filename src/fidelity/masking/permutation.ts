const ROUNDS = 6

/**
 * Replaces a number below a size by another one, one to one: a Feistel network with a keyed hash, over two numbers of
 * half the length, repeated until the result is below the size.
 */
export function permuted(value: bigint, size: bigint, digest: (round: string) => Buffer): bigint {
  if (size < 2n) return value
  const low = ceilOfRoot(size)
  let result = value
  do {
    let [left, right] = [result / low, result % low]
    for (let round = 0; round < ROUNDS; round++) {
      const [moved, other, modulus] = round % 2 === 0 ? [left, right, low] : [right, left, low]
      const mixed = (moved + (digest(`${round} ${other}`).readBigUInt64BE() % modulus)) % modulus
      if (round % 2 === 0) left = mixed
      else right = mixed
    }
    result = left * low + right
  } while (result >= size)
  return result
}

/** The smallest number whose square is not below another. */
function ceilOfRoot(number: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(number))))
  while (root * root < number) root++
  while ((root - 1n) * (root - 1n) >= number) root--
  return root
}
