import type { Test } from 'tap'
import { replaceMethod } from './helper.js'
import { at } from './sandbox.js'

/** Freezes the machine's clock at a time that the test can change, or moves it by a step at each reading. */
export function holdWall(t: Test, start = at(0), step = 0): { now: number } {
  const wall = { now: Date.parse(start) }
  replaceMethod(t, Date, 'now', () => (wall.now += step))
  return wall
}
