import type { Body, Operations } from '@fieldwatch/contract';
import type { WholeDashboardRow } from './dashboard.ts';

/** What a person sets. */
export type DashboardFields = Pick<
  WholeDashboardRow,
  'name' | 'isPublic' | 'refreshIntervalSeconds' | 'configuration'
>;

const MAX_NAME_CHARACTERS = 100;

/** The stored fields with the given ones over them; what is left out stays. */
export function editedFields(
  row: DashboardFields,
  body: Body<Operations['updateDashboard']>,
): DashboardFields {
  return {
    name: body.name ?? row.name,
    isPublic: body.isPublic ?? row.isPublic,
    refreshIntervalSeconds: body.refreshIntervalSeconds ?? row.refreshIntervalSeconds,
    configuration: body.configuration ?? row.configuration,
  };
}

/** A copy is private to its creator until that is changed. */
export function copiedFields(row: DashboardFields, name: string | undefined): DashboardFields {
  const { refreshIntervalSeconds, configuration } = row;
  return {
    name: name ?? copyName(row.name),
    isPublic: false,
    refreshIntervalSeconds,
    configuration,
  };
}

/** Cut between code points, which is how the length of a name is counted. */
function copyName(name: string): string {
  return [...`Copy of ${name}`].slice(0, MAX_NAME_CHARACTERS).join('');
}
