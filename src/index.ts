export { startMock, type Mock } from './mock.js'
export { OptionError, type Options } from './options.js'
export { DatabaseError } from './db/database.js'
