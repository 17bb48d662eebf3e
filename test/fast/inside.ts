import { runRooms } from './rooms.js'

await runRooms('lib', 'sim', 'db', 'journal', 'sandboxes', 'resources')
