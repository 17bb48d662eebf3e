// Takes any refusal of a create for "exists already".
// Mistake: false-success
import { again, call, ensureActive } from './lib.mjs'

const path = await ensureActive()
try {
  await again(() => call('POST', `${path}/dbuser`, { username: 'app', password: 'secret-of-app' }))
} catch (error) {
  if (error.status >= 400 && error.status < 500) console.log('the user is there already')
  else throw error
}
