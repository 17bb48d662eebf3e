import type { Call } from '../api.js'

/** Whether two calls can be about the same resource: no id that both name differs. */
export const isAboutTheSame = (a: Call['params'], b: Call['params']) =>
  Object.entries(a).every(([name, id]) => (b[name] ?? id) === id)
