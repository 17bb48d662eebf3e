// Ends its clean-up at the first deletion that fails.
// Class: deletion
// Report: kubernetes/kubernetes#74317
// Mistake: left-behind
import * as kit from './kit.mjs'

const known = {}
const removeNamed = async (name) => {
  const id = known[name] ?? (await kit.findGroup(name))?.workgroup_id
  if (id !== undefined) await kit.remove(`/workgroups/${id}`)
}

kit.main(async () => {
  let failure
  try {
    for (const name of ['first', 'second']) known[name] = (await kit.ensureGroup(name)).workgroup_id
  } catch (error) {
    failure = error
  }
  //- for (const name of ['first', 'second']) await removeNamed(name)
  //+ const ended = await Promise.allSettled(['first', 'second'].map(removeNamed))
  //+ failure ??= ended.find(({ status }) => status === 'rejected')?.reason
  if (failure !== undefined) throw failure
})
