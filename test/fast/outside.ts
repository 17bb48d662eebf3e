import { runRooms } from './rooms.js'

await runRooms('test-control', 'http')
