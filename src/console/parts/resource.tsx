import { linkTo } from '../model/route'
import { useApp } from './app-context'

/** The name and id of a resource. If it exists, the name is a link. */
export function Resource({ id }: { id: string }) {
  const { model } = useApp()
  const name = model.nameOf(id)
  const link = model.workspaces.has(id)
    ? linkTo('overview', id)
    : model.workgroups.has(id)
      ? linkTo('overview', undefined, id)
      : undefined
  return (
    <>
      {name === undefined ? null : link === undefined ? `${name} ` : <a href={link}>{name}</a>}{' '}
      {name === id ? null : <code class={name === undefined ? '' : 'quiet'}>{id}</code>}
    </>
  )
}
