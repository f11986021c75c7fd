import type { Location } from '@fieldwatch/contract';
import { isoDateTime } from '../runtime/index.ts';

/** A Location as it is stored. */
export interface LocationRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly parentId: string | null;
  readonly timeZone: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

export function locationRecord(row: LocationRow): Location {
  const { createdAt, updatedAt, revision: _, ...fields } = row;
  return {
    ...fields,
    createdDateTime: isoDateTime(createdAt),
    updatedDateTime: isoDateTime(updatedAt),
  };
}
