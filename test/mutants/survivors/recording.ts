import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = []
