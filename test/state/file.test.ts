import { join } from 'node:path'
import t from 'tap'
import { parseDocument, readDocumentFile } from '../../src/lib/document-file.js'
import { WORKSPACE_STATES } from '../../src/resources/workspaces/lifecycle.js'
