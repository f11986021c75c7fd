/** The records of a fleet, as data. They must exist before the fleet can report. */

export type Value = number | boolean | string;

export interface VariableSpec {
  /** Unique within its Device. */
  readonly path: string;
  readonly name: string;
  readonly type: 'NUMBER' | 'BOOLEAN' | 'STRING';
  readonly unit: string | null;
  readonly classificationType: string | null;
}

export interface DeviceSpec {
  /** Unique within the fleet. */
  readonly name: string;
  readonly site: string;
  readonly type: 'CONTROLCOM_GATEWAY' | 'CUSTOM_DEVICE';
  /** The gateway that reports for it; null for the gateway itself. */
  readonly gateway: string | null;
  readonly variables: readonly VariableSpec[];
}

/** A Variable of the fleet: its Device by name, and its path there. */
export interface VariableKey {
  readonly device: string;
  readonly path: string;
}

export interface AssetSpec {
  readonly name: string;
  readonly site: string;
  readonly classificationType:
    | 'GENERIC'
    | 'ELECTRICAL_GENERATOR'
    | 'ELECTRICAL_UTILITY'
    | 'ELECTRICAL_FEEDER'
    | 'ELECTRICAL_ATS';
  readonly details: Readonly<Record<string, string | number>> | null;
  readonly parent: string | null;
  readonly variables: readonly VariableKey[];
  /** The Variable that counts the running hours of a generator. */
  readonly runningHours: VariableKey | null;
}

export interface AlarmSpec {
  readonly name: string;
  readonly variable: VariableKey;
  readonly operator: 'LESS_THAN' | 'GREATER_THAN' | 'EQUAL';
  readonly threshold: Value;
  readonly severity: 'INFO' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  readonly isAcknowledgeable: boolean;
  readonly delaySeconds: number;
}

/** The values that a Device reports together. */
export interface Report {
  readonly device: DeviceSpec;
  readonly at: number;
  /** By path. */
  readonly values: Readonly<Record<string, Value>>;
}

export function numeric(
  path: string,
  name: string,
  unit: string | null,
  classificationType: string | null = null,
): VariableSpec {
  return { path, name, type: 'NUMBER', unit, classificationType };
}

export function onOff(
  path: string,
  name: string,
  classificationType: string | null = null,
): VariableSpec {
  return { path, name, type: 'BOOLEAN', unit: null, classificationType };
}

export function worded(
  path: string,
  name: string,
  classificationType: string | null = null,
): VariableSpec {
  return { path, name, type: 'STRING', unit: null, classificationType };
}
