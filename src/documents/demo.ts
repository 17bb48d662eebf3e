import { demoData, type TypeChoice } from '../resources/demo.js'
import type { StateDocument } from './schemas.js'

/** The demo data of `--demo` and of the console as a document, a type that the layer of the data cannot import. */
export const demoState = (catalogue: TypeChoice): StateDocument => demoData(catalogue)
