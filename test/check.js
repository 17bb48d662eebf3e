import { spawn } from 'node:child_process'

// Runs npm scripts in parallel, and shows the output of each when it has ended: `node test/check.js build lint`.

const ended = process.argv.slice(2).map(
  (script) =>
    new Promise((resolve) => {
      const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
      const said = []
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said.push(chunk)
        })
      child.on('close', (code) => {
        process.stderr.write(Buffer.concat(said))
        if (code !== 0) console.error(`npm run ${script} has failed`)
        resolve(code)
      })
    })
)
process.exitCode = (await Promise.all(ended)).every((code) => code === 0) ? 0 : 1
