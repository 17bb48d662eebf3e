// Renames a workgroup by its id, and sets how soon its workspace stops.
// Mistake: none
import { ensureActive, get, put } from './lib.mjs'

const path = await ensureActive()
await put(path, { auto_stop_minutes: 60, enable_auto_start: true })
const { auto_stop_minutes } = await get(path)
if (auto_stop_minutes !== 60) throw new Error('the setting is not in force')
