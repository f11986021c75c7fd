/** The selection of a client; an empty list selects everything. */
export interface StreamSelection {
  readonly variableIds: readonly string[];
  readonly deviceIds: readonly string[];
  readonly assetIds: readonly string[];
}

/** A Variable that exists, with the Device that owns it. */
export interface OwnedVariable {
  readonly id: string;
  readonly deviceId: string;
}

export interface BoundVariable extends OwnedVariable {
  readonly assetId: string;
}

/** The filter of a stream; null lets everything pass. */
export interface Filter {
  readonly variables: ReadonlySet<string> | null;
  readonly devices: ReadonlySet<string> | null;
}

/**
 * All given filters must match. `named` are the selected Variables that exist, `bound` those bound to
 * Assets at the moment; without either the Devices alone decide, so that a new Variable of one is
 * followed too.
 */
export function filterOf(
  { variableIds, deviceIds, assetIds }: StreamSelection,
  named: readonly OwnedVariable[],
  bound: readonly BoundVariable[],
): Filter {
  const devices = deviceIds.length === 0 ? null : new Set(deviceIds);
  if (variableIds.length === 0 && assetIds.length === 0) return { variables: null, devices };
  const assets = new Set(assetIds);
  const ofAssets = bound.filter(({ assetId }) => assets.has(assetId));
  const isOfAssets = new Set(ofAssets.map(({ id }) => id));
  const chosen = (variableIds.length === 0 ? ofAssets : named).filter(
    ({ id, deviceId }) =>
      (assetIds.length === 0 || isOfAssets.has(id)) && (devices === null || devices.has(deviceId)),
  );
  return {
    variables: new Set(chosen.map(({ id }) => id)),
    devices: new Set(chosen.map(({ deviceId }) => deviceId)),
  };
}

export function passesVariable(
  { variables, devices }: Filter,
  variableId: string,
  deviceId: string,
): boolean {
  if (variables !== null) return variables.has(variableId);
  return devices === null || devices.has(deviceId);
}

export function passesDevice({ devices }: Filter, deviceId: string): boolean {
  return devices === null || devices.has(deviceId);
}

/** What at least one of several filters lets pass. */
export interface Interest {
  has(variable: OwnedVariable): boolean;
}

/** Variables of one Device are consecutive, so that it is looked up once for them. */
export function interestOf(filters: readonly Filter[]): Interest {
  const isAll = filters.some(({ variables, devices }) => variables === null && devices === null);
  const ids = new Set(filters.flatMap(({ variables }) => [...(variables ?? [])]));
  const devices = new Set(
    filters.flatMap((each) => (each.variables === null ? [...(each.devices ?? [])] : [])),
  );
  let lastDeviceId = '';
  let hasDevice = isAll;
  return {
    has({ id, deviceId }) {
      if (deviceId !== lastDeviceId) {
        lastDeviceId = deviceId;
        hasDevice = isAll || devices.has(deviceId);
      }
      return hasDevice || (ids.size > 0 && ids.has(id));
    },
  };
}
