// What becomes of a late reading, of a corrected one, and of acknowledged ones when the process is killed.
import { FIRST_TIME } from './data-sets.mjs';

const DAY_MS = 86_400_000;
const KILLED_READINGS = 5_000;

/** Tries it on a system that has the readings of some days. */
export async function tryAbilities(system, { variables, days }) {
  const variable = 1;
  const { device } = variables[variable];
  const [form] = system.rawForms;
  const send = async (readings) => {
    await system.write(system.encode({ device, readings }));
  };
  const valuesIn = async (from, to) => {
    const answer = await system.raw(variable, { from, to }, form);
    return system.parseRaw(answer, form).map(([, value]) => value);
  };
  const at = FIRST_TIME + 5_000;
  const valueAt = async (value) => {
    await send([{ variable, at, value }]);
    await system.flush?.();
    return await valuesIn(at, at);
  };
  const late = await valueAt(1);
  const corrected = await valueAt(2);
  const from = FIRST_TIME + (days + 1) * DAY_MS;
  const many = Array.from({ length: KILLED_READINGS }, (_, index) => ({
    ...{ variable, at: from + index * 1_000, value: index },
  }));
  await send(many);
  await system.kill();
  const survived = await valuesIn(from, from + KILLED_READINGS * 1_000);
  return {
    late: late.length === 1 && late[0] === 1 ? 'stored in its place' : 'lost',
    corrected:
      corrected.length === 1 && corrected[0] === 2
        ? 'replaces the earlier value'
        : `${corrected.length} values of one time: ${corrected.join(' and ')}`,
    survived: `${survived.length} of ${KILLED_READINGS}`,
  };
}
