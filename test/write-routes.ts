import { replaceFile } from './doc-parts.js'
import { handleRoutes } from './operation-routes.js'

// `npm run docs` runs this first, because the generators of other files load sources that need this one.
replaceFile('src/interface/operation-routes.ts', await handleRoutes())
