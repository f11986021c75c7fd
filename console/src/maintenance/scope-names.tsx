import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { LocationLink } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { strings, maintenance as words } from '../strings/index.ts';
import { entriesOf, type Scope, type ScopeEntry, type ScopeField } from './scope.ts';

const NAMES_STALE_MS = 60_000;

const READS = {
  deviceIds: { operation: 'retrieveDevice', parameter: 'deviceId', path: '/devices/' },
  assetIds: { operation: 'retrieveAsset', parameter: 'assetId', path: '/assets/' },
  locationIds: { operation: 'retrieveLocation', parameter: 'locationId', path: '/locations/' },
  alarmGroupIds: { operation: 'retrieveAlarmGroup', parameter: 'alarmGroupId', path: null },
  alarmIds: { operation: 'retrieveAlarm', parameter: 'alarmId', path: '/alarms/configurations/' },
} as const satisfies Record<ScopeField, object>;

/** The name of a record in a scope; it may have been deleted since. */
export function useScopeName({ field, id }: ScopeEntry): string {
  const { operation, parameter } = READS[field];
  const { data, isError } = useRead(operation as 'retrieveDevice', { [parameter]: id } as never, {
    staleMs: NAMES_STALE_MS,
  });
  return data?.name ?? (isError ? strings.ui.deletedRecord : '…');
}

function ScopeLink({ entry }: { entry: ScopeEntry }) {
  const name = useScopeName(entry);
  const { path } = READS[entry.field];
  if (path === null) return <>{name}</>;
  return (
    <Link to={`${path}${entry.id}`} className="linked">
      {name}
    </Link>
  );
}

interface Props {
  readonly scope: Scope;
  /** How many records are named; the others are counted. */
  readonly max?: number;
}

/** The records that a maintenance window covers, as links. */
export function ScopeNames({ scope, max = Number.POSITIVE_INFINITY }: Props) {
  const entries = entriesOf(scope);
  const named = entries.slice(0, max);
  return (
    <>
      {named.map((entry, index) => (
        <Fragment key={entry.id}>
          {index > 0 ? ', ' : null}
          {entry.field === 'locationIds' ? (
            <LocationLink id={entry.id} />
          ) : (
            <ScopeLink entry={entry} />
          )}
        </Fragment>
      ))}
      {entries.length > named.length ? ` ${words.andMore(entries.length - named.length)}` : null}
    </>
  );
}
