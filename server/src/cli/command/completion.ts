import { type Command, optionsOf } from './command.ts';

export const SHELLS = ['bash', 'zsh'] as const;

/** A script that completes commands, options and their values, made from the table of commands. */
export function completionScript(shell: string, commands: readonly Command[]): string {
  return shell === 'zsh' ? zshScript(commands) : bashScript(commands);
}

function bashScript(commands: readonly Command[]): string {
  const cases = commands.flatMap((command) => {
    const valued = optionsOf(command).filter(({ value }) => value !== undefined);
    const closed = valued.flatMap(({ name, values }) =>
      values
        ? [`      ${command.name}:${name}) _fieldwatch_words '${values.join(' ')}'; return ;;`]
        : [],
    );
    const open = valued
      .filter(({ values }) => !values)
      .map(({ name }) => `${command.name}:${name}`);
    return open.length === 0
      ? closed
      : [...closed, `      ${open.join('|')}) _fieldwatch_files; return ;;`];
  });
  const names = (command: Command) => optionsOf(command).map(({ name }) => name);
  return `# Completions of fieldwatch for bash: source <(fieldwatch completion bash)
_fieldwatch_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_fieldwatch_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); }
_fieldwatch() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local name="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    _fieldwatch_words '${commands.map(({ name }) => name).join(' ')} help'
    return
  fi
  case "$name:$previous" in
${[...cases, `      help:help) _fieldwatch_words '${commands.map(({ name }) => name).join(' ')}'; return ;;`].join('\n')}
  esac
  case "$name:\${current:0:1}" in
${commands.map((command) => `      ${command.name}:-) _fieldwatch_words '${names(command).join(' ')}' ;;`).join('\n')}
${commands.flatMap(closedArgument).join('\n')}
      *) _fieldwatch_files ;;
  esac
}
complete -F _fieldwatch fieldwatch
`;
}

function closedArgument({ name, arguments: [first] }: Command): string[] {
  return first?.values ? [`      ${name}:*) _fieldwatch_words '${first.values.join(' ')}' ;;`] : [];
}

/** In single quotes, with the characters escaped that `_arguments` and `_describe` interpret. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&')}'`;
}

function zshScript(commands: readonly Command[]): string {
  const described = commands.map(
    ({ name, summary }) => `${quoted(name).slice(0, -1)}:${quoted(summary).slice(1)}`,
  );
  return `#compdef fieldwatch
# Completions of fieldwatch for zsh: source <(fieldwatch completion zsh)
_fieldwatch() {
  local -a commands
  commands=(
${[...described, "'help:Describe a command'"].map((each) => `    ${each}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name="$words[2]"
  shift words
  (( CURRENT -= 1 ))
  case "$name" in
${commands.map(zshCase).join('\n')}
    help) _describe command commands ;;
  esac
}
if [ "$funcstack[1]" = "_fieldwatch" ]; then _fieldwatch "$@"; else compdef _fieldwatch fieldwatch; fi
`;
}

function zshCase(command: Command): string {
  const options = optionsOf(command).map(({ name, value, values, summary, isRepeatable }) => {
    const head = `${isRepeatable ? '*' : ''}${name}${value === undefined ? '' : '='}`;
    const text = quoted(summary).slice(1, -1);
    const action = values ? `(${values.join(' ')})` : '_files';
    const tail = value === undefined ? '' : `:${value}:${action}`;
    return `'${head}[${text}]${tail}'`;
  });
  const args = command.arguments.map(({ name, values, isRepeatable }, index) => {
    const action = values ? `(${values.join(' ')})` : '_files';
    return `'${isRepeatable ? '*' : index + 1}:${name}:${action}'`;
  });
  return `    ${command.name}) _arguments ${[...options, ...args].join(' ')} ;;`;
}
