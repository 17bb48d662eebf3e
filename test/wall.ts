import type { Test } from 'tap'
import { replaceMethod } from './helper.js'
import { at } from './sandbox.js'

/** Lets the machine's clock stand still, at a time that the test can change, or move by a step at each look at it. */
export function holdWall(t: Test, start = at(0), step = 0): { now: number } {
  const wall = { now: Date.parse(start) }
  replaceMethod(t, Date, 'now', () => (wall.now += step))
  return wall
}
