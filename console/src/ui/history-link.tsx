import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconHistory } from '../icons/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';

/** A record as the audit log names it. */
export interface AuditedRecord {
  /** The kind of record, such as `Device`. */
  readonly resource: string;
  readonly id: string;
}

/** The address of the changes of a record. */
export function historyOf({ resource, id }: AuditedRecord): string {
  return `/administration/audit-log?resource=${resource}&resourceId=${id}`;
}

/** Leads to the changes of a record, for those who may read them. */
export function HistoryLink({ record }: { record: AuditedRecord }) {
  const { may } = useSession();
  if (!may('ReadAuditLog')) return null;
  return (
    <Tooltip label={strings.ui.historyHint}>
      <ActionIcon
        component={Link}
        to={historyOf(record)}
        variant="default"
        size={36}
        aria-label={strings.ui.history}
      >
        <IconHistory size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
