import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { ScopeNames, scopeIn } from '../maintenance/index.ts';
import { type AuditEntry, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime, numberText, readingText } from '../ui/index.ts';
import { AuditRecord } from './audit-record.tsx';
import { fieldText, readableChanges, referencedKind, valueText } from './audit-words.ts';

const words = strings.administration.audit;
const FORMAT = { number: (value: number) => numberText(value), time: exactTime };
/** Entries with more fields show these first, so that a page stays short. */
const MAX_FIELDS = 5;
/** A scope with more records counts the others. */
const MAX_NAMES = 5;

/** What changed, before and after, in words. */
export function AuditChanges({ entry }: { entry: AuditEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const changes = readableChanges(entry.changes);
  const shown = isOpen ? changes : changes.slice(0, MAX_FIELDS);
  if (changes.length === 0) return <Text size="sm">{words.none}</Text>;
  return (
    <>
      {shown.map(({ field, from, to }) => (
        <Text key={field} size="sm">
          <Text span size="xs" c="dimmed">
            {fieldText(field)}
          </Text>{' '}
          {from === null ? null : (
            <>
              <s>
                <Value entry={entry} field={field} value={from} />
              </s>{' '}
              →{' '}
            </>
          )}
          <Value entry={entry} field={field} value={to} />
        </Text>
      ))}
      {changes.length > MAX_FIELDS ? (
        <Anchor
          component="button"
          size="xs"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? words.less : words.more}
        </Anchor>
      ) : null}
    </>
  );
}

/** What changed, as one line of text. */
export function changesText({ changes }: AuditEntry): string {
  return readableChanges(changes)
    .map(({ field, from, to }) => {
      const values = [...(from === null ? [] : [from]), to].map((each) =>
        valueText(each, FORMAT, field),
      );
      return `${fieldText(field)}: ${values.join(' → ')}`;
    })
    .join('; ');
}

interface ValueProps {
  readonly entry: AuditEntry;
  readonly field: string;
  readonly value: unknown;
}

function Value({ entry: { resource, resourceId }, field, value }: ValueProps) {
  const kind = referencedKind(resource, field);
  if (kind && typeof value === 'string') return <AuditRecord kind={kind} id={value} />;
  if (resource === 'Alarm' && typeof value === 'number' && field === 'thresholdValueNumber') {
    return <Threshold alarmId={resourceId} value={value} />;
  }
  const scope = resource === 'MaintenanceWindow' && field === 'scope' ? scopeIn(value) : null;
  if (scope) return <ScopeNames scope={scope} max={MAX_NAMES} />;
  return <>{valueText(value, FORMAT, field)}</>;
}

/** A threshold with the unit of the Variable that the Alarm watches. */
function Threshold({ alarmId, value }: { alarmId: string; value: number }) {
  const { data: alarm } = useRead('retrieveAlarm', { alarmId });
  const { data: variable } = useRead(
    'retrieveVariable',
    { variableId: alarm?.deviceVariableId ?? '' },
    { enabled: alarm !== undefined },
  );
  return <>{readingText(value, variable?.unit ?? null)}</>;
}
