import t from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { saysTooMany } from '../../src/fidelity/meaning.js'
import { BUILT_IN, compileProfile } from '../../src/profile/profile.js'
import { builtInWording } from '../../src/resources/vocabulary.js'

const refusal = (status: number, Type: string, Message: string, FieldName = '') =>
  ({ status, body: { Error: true, Message, ErrorDetails: [{ FieldName, Reason: Message, Type }] } }) as Exchange

void t.test('the type of a refusal, even if renamed, or its words say that too many exist', (t) => {
  const names = { values: { 'Quota-Exceed': 'Full' }, fields: { Message: 'text' } }
  const renamed = compileProfile({ profile: 1, name: 'renamed', names }, builtInWording)
  t.ok(saysTooMany(BUILT_IN, refusal(400, 'Quota-Exceed', 'No.')))
  t.ok(saysTooMany(renamed, refusal(400, 'Full', 'No.')))
  t.notOk(saysTooMany(BUILT_IN, refusal(400, 'Full', 'No.')))
  t.ok(saysTooMany(BUILT_IN, refusal(402, 'Other', 'No more than 3 writers.')))
  t.ok(saysTooMany(renamed, { status: 402, body: { text: 'No more than 3 writers.' } } as unknown as Exchange))
  t.notOk(saysTooMany(BUILT_IN, refusal(429, 'Quota-Exceed', 'Too many requests.')))
  t.notOk(saysTooMany(BUILT_IN, refusal(409, 'Other', 'At most 40 characters.', 'name')))
  t.end()
})
