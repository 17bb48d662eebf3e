import t from 'tap'
import { read, wholeDocument } from '../doc-parts.js'
import { stateTable } from '../doc-tables.js'

// A part of test/docs.test.ts that is quick: the fields of a state document are what the documents say.
void t.test('docs/generated/state-fields.md has every field of a state document', async (t) => {
  t.equal(read('docs/generated/state-fields.md'), wholeDocument('Fields of a state document', stateTable()))
})
