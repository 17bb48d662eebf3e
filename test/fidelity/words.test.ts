import t from 'tap'
import { brandIn, isSameKind, isSameName, nameWith, wordsIn } from '../../src/fidelity/words.js'

const ownName = nameWith('')
const theirName = nameWith('acme')
const isSame = (own: string, theirs: string) => isSameName(ownName(own), theirName(theirs))
const isRelated = (own: string, theirs: string) => isSameKind(ownName(own), theirName(theirs))

void t.test('an identifier is split into its words', async (t) => {
  for (const [identifier, words] of [
    ['svc_database_id', 'svc database id'],
    ['svcIAM.IAMUser', 'svc iam iam user'],
    ['ACMEDatabase', 'acme database'],
    ['workspaceID', 'workspace id'],
    ['SVC-00', 'svc 00'],
    ['__', '']
  ] as const)
    t.equal(wordsIn(identifier).join(' '), words, identifier)
})

void t.test('names that differ in case, separators, number or brand are the same', async (t) => {
  for (const [own, theirs] of [
    ['svc_databases', 'acmeDatabase'],
    ['timezone', 'timeZone'],
    ['SvcDatabase', 'ACMEDatabase'],
    ['workgroup_ids', 'WorkgroupID'],
    ['statuses', 'Status'],
    ['entries', 'entry'],
    // Every object inherits this name.
    ['constructor', 'Constructor']
  ] as const)
    t.ok(isSame(own, theirs), `${own} ${theirs}`)
})

void t.test('names can have the same meaning, the same last word, or neither', async (t) => {
  for (const [own, theirs] of [
    ['creator', 'created_by'],
    ['srn', 'arn'],
    ['is_rw', 'is_read_write'],
    ['last_modified_time', 'modified_at'],
    ['vertex_count', 'verticesCount'],
    ['org_id', 'organizationId'],
    ['svc_version', 'version'],
    ['auto_stop_minutes', 'auto_pause_minutes'],
    ['timezone', 'tz']
  ] as const)
    t.ok(isSame(own, theirs), `${own} ${theirs}`)
  for (const [own, theirs] of [
    ['workspace_id', 'workgroup_id'],
    ['workspace_id', 'workspace_name'],
    ['svc_database_id', 'acme_database_name'],
    ['size', 'status'],
    ['constructor_id', 'workspace_id']
  ] as const)
    t.notOk(isSame(own, theirs) || isRelated(own, theirs), `${own} ${theirs}`)
  for (const [own, theirs] of [
    ['enable_allow_list', 'disable_allow_list'],
    ['nginx_host', 'endpoint_host']
  ] as const)
    t.ok(isRelated(own, theirs) && !isSame(own, theirs), `${own} ${theirs}`)
  t.ok(isSame('-', '_'))
})

void t.test("a brand is recognised by names that have it in place of the mock's", async (t) => {
  const own = ['svc_version', 'svc_database_id', 'SvcVersion', 'workspace_id', 'org_id']
  t.equal(brandIn(['acme_version', 'AcmeDatabaseID', 'workspace_id'], own), 'acme')
  t.equal(brandIn(own, own), 'svc')
  t.equal(brandIn(['app_version', 'id'], own), '', 'one name proves nothing')
  t.equal(brandIn(['org_version', 'org_database_id'], own), '', 'a word of the mock is not a brand')
})
