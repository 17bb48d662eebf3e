import { closed } from '../../lib/closed.js'
import { properties, stater } from '../field-table.js'
import { STUB_ITEMS } from './fields.js'

/** What a stub has stored, in a state document. */
export const StubItemStateSchema = closed(properties(STUB_ITEMS.fields, 'document'))

export const toStubItemState = stater(STUB_ITEMS.fields)
