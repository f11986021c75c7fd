import { readConfig } from '../../../config.ts';
import { type Command, counted, EXIT, type Paint } from '../../command/index.ts';
import { engineOf } from '../settings.ts';
import { type Finding, findingsOf, settingFinding } from './findings.ts';
import { gatherFacts } from './gather.ts';

function linesOf({ check, level, message, remedy }: Finding, paint: Paint): string[] {
  const marks = {
    OK: paint.green('ok     '),
    WARNING: paint.yellow('warning'),
    ERROR: paint.red('error  '),
  };
  const line = `${marks[level]}  ${check.padEnd(14)}  ${message}`;
  return remedy === null ? [line] : [line, `${' '.repeat(25)}${paint.dim('→')} ${remedy}`];
}

export const runDoctor: Command['run'] = async (_, terminal) => {
  const read = readConfig(terminal.environment);
  terminal.progress.step('Examining …');
  const findings =
    'problems' in read
      ? read.problems.map(settingFinding)
      : findingsOf(await gatherFacts(read.config, engineOf(read.config, terminal), read.unknown));
  const count = (level: Finding['level']) =>
    findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count('ERROR'), count('WARNING')];
  terminal.answer({ errors, warnings, findings }, [
    ...findings.flatMap((finding) => linesOf(finding, terminal.paint)),
    '',
    `${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(count('OK'), 'check')} passed.`,
  ]);
  return errors > 0 ? EXIT.FAILED : EXIT.OK;
};
