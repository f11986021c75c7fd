import { type Command, completionScript, EXIT, SHELLS } from './command/index.ts';
import { INSTALLATION_COMMANDS } from './installation-commands.ts';
import { REMOTE_COMMANDS } from './remote-commands.ts';

const START: Command = {
  name: 'start',
  summary: 'Start the server; the default',
  about: [
    'Data is stored in ./data, or where FIELDWATCH_DATA_DIR says. The first start prints the administrator’s password and an API key, only this once. Ctrl-C stops the server.',
  ],
  arguments: [],
  options: [
    {
      name: '--new',
      summary: 'Begin an empty installation, although the key of another one is in place',
    },
  ],
  examples: [
    { call: 'fieldwatch', effect: 'Start, with data in ./data' },
    {
      call: 'FIELDWATCH_HTTP_PORT=9000 FIELDWATCH_DATA_DIR=/srv/fieldwatch fieldwatch start',
      effect: 'Start on another port, with data elsewhere',
    },
  ],
  hasJson: false,
  async run() {
    await import('./main.ts');
    return undefined;
  },
};

const COMPLETION: Command = {
  name: 'completion',
  summary: 'Print completions for a shell',
  about: [],
  arguments: [{ name: 'shell', isRequired: true, values: SHELLS }],
  options: [],
  examples: [
    { call: 'source <(fieldwatch completion bash)', effect: 'In ~/.bashrc' },
    { call: 'source <(fieldwatch completion zsh)', effect: 'In ~/.zshrc, after compinit' },
  ],
  hasJson: false,
  async run({ args: [shell = ''] }, { print }) {
    print(completionScript(shell, COMMANDS).trimEnd());
    return EXIT.OK;
  },
};

/** Modules are loaded by the command that needs them, so that help and errors come at once. */
export const COMMANDS: readonly Command[] = [
  START,
  ...INSTALLATION_COMMANDS,
  ...REMOTE_COMMANDS,
  COMPLETION,
];
