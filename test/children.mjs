import processOnSpawn from 'process-on-spawn'

// Child processes run as a user would start them: without the variables of the test runner, and without its hooks for
// Node, which double the time to start. So only processes of tests count for the coverage.
const HOOKS = /"--import=[^"]*@tapjs\/processinfo[^"]*"/

processOnSpawn.addListener((child) => {
  const others = Object.entries(child.env).filter(
    ([name, value]) => !name.match(/^_?TAP/) || value !== process.env[name]
  )
  const { NODE_OPTIONS = '', ...env } = Object.fromEntries(others)
  const options = NODE_OPTIONS.replace(HOOKS, '').trim()
  child.env = options === '' ? env : { ...env, NODE_OPTIONS: options }
})
