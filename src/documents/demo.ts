import { demoData, type TypeChoice } from '../resources/demo.js'
import type { StateDocument } from './schemas.js'

/**
 * What `--demo` fills new sandboxes with, and the console an empty one: readable ids, a workspace in each state that
 * lasts, and something that each operation can be tried on. The data itself is in a layer below, which cannot import
 * the type of documents, so it gets that type here.
 */
export const demoState = (catalogue: TypeChoice): StateDocument => demoData(catalogue)
