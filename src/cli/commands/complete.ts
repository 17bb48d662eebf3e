import type { Command } from '../command.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export const COMPLETE: Command = {
  usage: [`complete ${SHELLS.join('|')}`],
  about: `Prints a script that makes the Tab key complete commands and options in this
shell. It calls svc-mock, which must be found in the PATH; in bash, it needs the
package bash-completion.`,
  subcommands: SHELLS.map((shell) => ({ usage: shell, help: `Print the script for ${shell}.` })),
  notes: `Use it like this:
  source <(svc-mock complete bash)
  svc-mock complete zsh > ~/.svc-mock.zsh && echo 'source ~/.svc-mock.zsh' >> ~/.zshrc
  svc-mock complete fish > ~/.config/fish/completions/svc-mock.fish`
}
