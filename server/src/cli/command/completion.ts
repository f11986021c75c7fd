import { type Command, type Option, optionsOf } from './command.ts';

export const SHELLS = ['bash', 'zsh'] as const;

/** A script that completes commands, options and their values, made from the table of commands. */
export function completionScript(shell: string, commands: readonly Command[]): string {
  return shell === 'zsh' ? zshScript(commands) : bashScript(commands);
}

/** What a call without a command takes. */
const GLOBAL_OPTIONS = ['--help', '--version'];

function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completions of fieldwatch for bash: source <(fieldwatch completion bash)
_fieldwatch_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_fieldwatch_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}
_fieldwatch() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local name="\${COMP_WORDS[1]}"
  COMPREPLY=()
  # Bash takes --option=value as three words.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$previous" = '=' ]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    case "$current" in
      -*) _fieldwatch_words '${GLOBAL_OPTIONS.join(' ')}' ;;
      *) _fieldwatch_words '${names} help' ;;
    esac
    return
  fi
  case "$name:$previous" in
${commands.flatMap(bashOptionCases).join('\n')}
      help:help) _fieldwatch_words '${names}'; return ;;
  esac
  case "$name:\${current:0:1}" in
${commands.flatMap(bashWordCases).join('\n')}
  esac
}
complete -F _fieldwatch fieldwatch
`;
}

/** What completes a value; nothing does where it is neither of a closed list nor a path. */
function bashAction({ values, isPath }: Pick<Option, 'values' | 'isPath'>): string {
  if (values) return `_fieldwatch_words '${values.join(' ')}'`;
  return isPath ? '_fieldwatch_files' : ':';
}

function bashOptionCases(command: Command): string[] {
  return optionsOf(command)
    .filter(({ value }) => value !== undefined)
    .map((option) => `      ${command.name}:${option.name}) ${bashAction(option)}; return ;;`);
}

function bashWordCases(command: Command): string[] {
  const [first] = command.arguments;
  const names = optionsOf(command).map(({ name }) => name);
  return [
    `      ${command.name}:-) _fieldwatch_words '${names.join(' ')}' ;;`,
    ...(first ? [`      ${command.name}:*) ${bashAction(first)} ;;`] : []),
  ];
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
    if [[ "$PREFIX" == -* ]]; then
      compadd -- ${GLOBAL_OPTIONS.join(' ')}
    else
      _describe command commands
    fi
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

/** A space is the action that completes nothing. */
function zshAction({ values, isPath }: Pick<Option, 'values' | 'isPath'>): string {
  if (values) return `(${values.join(' ')})`;
  return isPath ? '_files' : ' ';
}

function zshCase(command: Command): string {
  const options = optionsOf(command).map(
    ({ name, value, values, isPath, summary, isRepeatable }) => {
      const head = `${isRepeatable ? '*' : ''}${name}${value === undefined ? '' : '='}`;
      const text = quoted(summary).slice(1, -1);
      const tail = value === undefined ? '' : `:${value}:${zshAction({ values, isPath })}`;
      return `'${head}[${text}]${tail}'`;
    },
  );
  const args = command.arguments.map(({ name, values, isPath, isRepeatable }, index) => {
    const action = zshAction({ values, isPath });
    return `'${isRepeatable ? '*' : index + 1}:${name}:${action}'`;
  });
  return `    ${command.name}) _arguments ${[...options, ...args].join(' ')} ;;`;
}
