import type { Variable } from '../service/index.ts';

const SEPARATOR = '·';

/** A Variable with its Device, as every picker, legend and search result shows it. */
export function variableLabel(deviceName: string, name: string): string {
  return `${deviceName} ${SEPARATOR} ${name}`;
}

/** What to search for when a user types over a label. */
export function searchOf(text: string): string {
  return text.replaceAll(SEPARATOR, ' ').trim();
}

type Named = Pick<Variable, 'id' | 'name' | 'deviceId' | 'topicPropertyPath'>;

/**
 * The Variables with names that tell them apart: with the name of the Device when there are several
 * Devices or `isDeviceNamed`, and with the path where two of one Device share a name. Names of Devices
 * that are not loaded yet are left out.
 */
export function distinctNames<V extends Named>(
  variables: readonly V[],
  deviceNames: ReadonlyMap<string, string>,
  isDeviceNamed: boolean,
): readonly V[] {
  const hasSeveral = new Set(variables.map(({ deviceId }) => deviceId)).size > 1;
  const isShared = ({ id, name, deviceId }: V) =>
    variables.some(
      (other) => other.name === name && other.deviceId === deviceId && other.id !== id,
    );
  return variables.map((variable) => {
    const name = isShared(variable)
      ? `${variable.name} (${variable.topicPropertyPath})`
      : variable.name;
    const device = hasSeveral || isDeviceNamed ? deviceNames.get(variable.deviceId) : undefined;
    return { ...variable, name: device === undefined ? name : variableLabel(device, name) };
  });
}
