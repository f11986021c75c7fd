import { passwordProblem, resetPassword } from '../../access/index.ts';
import { type Command, CommandFailure, EXIT, type Terminal, wrongUsage } from '../command/index.ts';
import { withInstallation } from './open.ts';

const MAX_INPUT_LENGTH = 10_000;

/** The first line of standard input. */
async function readPassword(terminal: Terminal): Promise<string> {
  const input = terminal.input();
  if (!input) throw wrongUsage('Write the password to standard input, as in the examples.');
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_INPUT_LENGTH) break;
  }
  return text.split('\n')[0]?.replace(/\r$/, '') ?? '';
}

export const runResetPassword: Command['run'] = async (input, terminal) => {
  const [email = ''] = input.args;
  const chosen = input.has('--stdin') ? await readPassword(terminal) : null;
  const problem = chosen === null ? null : passwordProblem(chosen, email);
  if (problem !== null) throw new CommandFailure(`The password ${problem}.`);
  const reset = await withInstallation(terminal, (opened) => resetPassword(opened, email, chosen));
  if (!reset) throw new CommandFailure(`There is no user with the email ${email}.`);
  const { password, ...result } = reset;
  const sessions = `${reset.endedSessions} ${reset.endedSessions === 1 ? 'session' : 'sessions'}`;
  terminal.answer(chosen === null ? { ...result, password } : result, [
    `Changed the password of ${reset.email} and ended ${sessions}.`,
    ...(chosen === null ? [`Password  ${password}`, 'It is shown this once.'] : []),
  ]);
  return EXIT.OK;
};
