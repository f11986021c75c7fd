import { Link } from '@tanstack/react-router';
import { type FoundVariable, isGone, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type FoundOptions,
  type Option,
  SearchedSelect,
  type SearchedSelectProps,
} from '../ui/index.ts';
import { searchOf, variableLabel } from './variable-names.ts';

const MAX_OPTIONS = 50;

interface LinkProps {
  readonly id: string;
  /** Whether the name of the Device is part of the link. */
  readonly isDeviceNamed?: boolean;
}

/** The name of a Variable as a link to it. The record is cached for a while. */
export function VariableLink({ id, isDeviceNamed = false }: LinkProps) {
  const { label, isDeleted } = useVariableLabel(id, isDeviceNamed);
  if (isDeleted) return <>{strings.ui.deletedRecord}</>;
  return (
    <Link to={`/variables/${id}`} className="linked">
      {label ?? '…'}
    </Link>
  );
}

/** A search for Variables by words of their names and those of their Devices and Locations. */
export function useFoundVariables(text: string, deviceId: string | null = null) {
  const search = searchOf(text);
  return useRead(
    'searchVariables',
    {
      body: {
        take: MAX_OPTIONS,
        ...(search ? { search } : {}),
        ...(deviceId ? { deviceIds: [deviceId] } : {}),
      },
    },
    { keepsPrevious: true },
  );
}

/** What tells a Variable apart besides the names of Device and Variable. */
export function variableDetail({ locationName, unit, topicPropertyPath }: FoundVariable): string {
  return [locationName, unit, topicPropertyPath].filter((each) => each !== null).join(' · ');
}

interface Props extends Omit<SearchedSelectProps, 'useOptions' | 'selected'> {
  /** The Device whose Variables are offered; null for all. */
  readonly deviceId: string | null;
}

/** The only picker of a Variable: shows and searches Device and Variable. */
export function VariableSelect({ deviceId, ...props }: Props) {
  const useOptions = (text: string): FoundOptions => {
    const { data, isPending, isPlaceholderData } = useFoundVariables(text, deviceId);
    const options = (data?.items ?? []).map((found) => ({
      value: found.id,
      label: deviceId === null ? variableLabel(found.deviceName, found.name) : found.name,
      detail: variableDetail(found),
    }));
    return { options, count: data?.count ?? 0, isPending: isPending || isPlaceholderData };
  };
  const selected = useSelected(props.value, deviceId === null);
  return <SearchedSelect {...props} useOptions={useOptions} selected={selected} />;
}

function useSelected(id: string | null, isDeviceNamed: boolean): Option | null {
  const { label } = useVariableLabel(id, isDeviceNamed);
  return id !== null && label !== undefined ? { value: id, label } : null;
}

/** The label of a Variable, once it and its Device are loaded, and whether it was deleted. */
export function useVariableLabel(id: string | null, isDeviceNamed = true) {
  const { data: variable, error } = useRead(
    'retrieveVariable',
    { variableId: id ?? '' },
    { enabled: id !== null, staleMs: 60_000 },
  );
  const { data: device } = useRead(
    'retrieveDevice',
    { deviceId: variable?.deviceId ?? '' },
    { enabled: variable !== undefined && isDeviceNamed, staleMs: 60_000 },
  );
  const isDeleted = isGone(error);
  if (!variable || id === null) return { label: undefined, isDeleted };
  const named = device && variableLabel(device.name, variable.name);
  return { label: isDeviceNamed ? named : variable.name, isDeleted };
}
