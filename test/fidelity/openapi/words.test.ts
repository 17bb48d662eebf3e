import t from 'tap'
import { brandIn, Naming, similarity, wordsIn } from '../../../src/fidelity/openapi/words.js'

const OWN = new Naming('svc')
const THEIRS = new Naming('acme')
const alike = (own: string, theirs: string) => similarity(OWN.nameOf(own), THEIRS.nameOf(theirs))

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
    ['entries', 'entry']
  ] as const)
    t.equal(alike(own, theirs), 1, `${own} ${theirs}`)
})

void t.test('names that mean the same are alike, and others are not', async (t) => {
  for (const [own, theirs] of [
    ['creator', 'created_by'],
    ['srn', 'arn'],
    ['is_rw', 'is_read_write'],
    ['last_modified_time', 'modified_at'],
    ['vertex_count', 'verticesCount'],
    ['org_id', 'organizationId'],
    ['svc_version', 'version'],
    ['auto_stop_minutes', 'auto_pause_minutes'],
    ['timezone', 'tz'],
    ['region', 'regoin']
  ] as const)
    t.ok(alike(own, theirs) >= 0.7 && alike(own, theirs) < 1, `${own} ${theirs}: ${alike(own, theirs)}`)
  for (const [own, theirs] of [
    ['workspace_id', 'workgroup_id'],
    ['workspace_id', 'workspace_name'],
    ['svc_database_id', 'acme_database_name'],
    ['enable_allow_list', 'disable_allow_list'],
    ['nginx_host', 'endpoint_host'],
    ['size', 'status']
  ] as const)
    t.ok(alike(own, theirs) < 0.7, `${own} ${theirs}: ${alike(own, theirs)}`)
  t.equal(similarity(OWN.nameOf('-'), THEIRS.nameOf('_')), 1)
})

void t.test('a word can be one that every object inherits', async (t) => {
  t.equal(alike('constructor', 'Constructor'), 1)
  t.ok(alike('constructor_id', 'workspace_id') < 0.7)
})

void t.test("a brand is recognised by the names that have it in the mock's place", async (t) => {
  const own = ['svc_version', 'svc_database_id', 'SvcVersion', 'workspace_id', 'org_id']
  t.equal(brandIn(['acme_version', 'AcmeDatabaseID', 'workspace_id'], own, 'svc'), 'acme')
  t.equal(brandIn(own, own, 'svc'), 'svc')
  t.equal(brandIn(['app_version', 'id'], own, 'svc'), '', 'one name proves nothing')
  t.equal(brandIn(['org_version', 'org_database_id'], own, 'svc'), '', 'a word of the mock is no brand')
})
