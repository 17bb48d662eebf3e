import type { Fault } from '../api/types'
import { effectOf } from '../model/fault'
import { useApp } from '../parts/app-context'
import { NewFault } from './faults/new-fault'

/** Lists the faults with their counters, and adds new ones. */
export function FaultsView() {
  return (
    <div class="columns">
      <FaultList />
      <NewFault />
    </div>
  )
}

function FaultList() {
  const { model, attempt } = useApp()
  const { faults } = model
  const remove = (id?: string) =>
    attempt(async () => (await model.client.control('DELETE', id === undefined ? '/faults' : `/faults/${id}`)).message)
  return (
    <section class="card" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      {faults.length === 0 ? (
        <p class="quiet">No faults.</p>
      ) : (
        <>
          <table class="small" aria-labelledby="faults-title">
            <thead>
              <tr>
                <th>Operation</th>
                <th>Effect</th>
                <th class="right">Hits</th>
                <th class="right">Seen</th>
                <th>
                  <span class="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {faults.map((fault) => (
                <tr key={fault.id} data-fault={fault.id}>
                  <td>
                    {fault.operation ?? 'any'} <Place fault={fault} />
                  </td>
                  <td>{effectOf(fault)}</td>
                  <td class="right numbers">
                    {fault.hits}
                    {fault.times === undefined ? '' : ` of ${fault.times}`}
                  </td>
                  <td class="right numbers">{fault.seen}</td>
                  <td class="right">
                    <button type="button" aria-label={`Remove ${fault.id}`} onClick={() => void remove(fault.id)}>
                      Remove
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="quiet">Hits: how often it fired. Seen: how many requests it matched.</p>
          <button type="button" onClick={() => void remove()}>
            Remove all
          </button>
        </>
      )}
    </section>
  )
}

/** Where a fault applies, if not everywhere. */
function Place({ fault: { workspace_id: workspace, workgroup_id: workgroup } }: { fault: Fault }) {
  const { model } = useApp()
  const names = [
    ...(workspace === undefined ? [] : [model.workspaces.get(workspace)?.name ?? workspace]),
    ...(workgroup === undefined ? [] : [model.workgroups.get(workgroup)?.name ?? workgroup])
  ]
  return names.length === 0 ? null : <span class="quiet">on {names.join(' in ')}</span>
}
