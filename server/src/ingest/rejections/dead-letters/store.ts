import { isoDateTime } from '../../../runtime/index.ts';
import {
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  sql,
} from '../../../storage/index.ts';
import {
  type DeadLetter,
  LETTER_LIFETIME_MS,
  MAX_LETTERS,
  MAX_LETTERS_PER_DEVICE,
} from './letter.ts';

/** Stores letters of Devices that exist; others belong to no organization that could list them. */
export async function insertLetters(db: Queries, letters: readonly DeadLetter[]): Promise<void> {
  const added = letters.map(({ failedAt, payload, ...each }) => ({
    ...each,
    payload: Buffer.from(payload).toString('base64'),
    failedAt: isoDateTime(failedAt),
  }));
  await run(
    db,
    sql`insert into dead_letters (organization_id, device_id, topic, payload, reason, failed_at)
        select devices.organization_id, devices.id, added.topic, decode(added.payload, 'base64'),
          added.reason, added."failedAt"
        from json_to_recordset(${JSON.stringify(added)}::json) as added ("deviceId" uuid,
            topic text, payload text, reason text, "failedAt" timestamptz)
          join devices on devices.id = added."deviceId"
        for key share of devices`,
  );
}

/** Deletes the oldest letters above the limits of their Devices and organizations. */
export async function dropOldestLetters(db: Queries, deviceIds: readonly string[]): Promise<void> {
  await run(
    db,
    sql`delete from dead_letters where number = any(array(
          select number from (
            select number,
              row_number() over (partition by organization_id, device_id order by number desc)
                as in_device,
              row_number() over (partition by organization_id order by number desc)
                as in_organization
            from dead_letters
            where organization_id in (
              select organization_id from devices where id = any(${deviceIds}::uuid[]))
          ) ranked
          where in_device > ${MAX_LETTERS_PER_DEVICE} or in_organization > ${MAX_LETTERS}))`,
  );
}

export async function deleteExpiredLetters(db: Queries, now: number): Promise<void> {
  await run(
    db,
    sql`delete from dead_letters where failed_at < ${isoDateTime(now - LETTER_LIFETIME_MS)}`,
  );
}

export interface LetterRow {
  readonly topic: string;
  readonly payload: Buffer;
  readonly reason: string;
  readonly failedAt: number;
}

/** The letters of a Device, the newest first. */
export async function listLetters(
  db: Queries,
  organizationId: string,
  deviceId: string,
  request: PageRequest,
): Promise<Page<LetterRow>> {
  return await page(
    db,
    {
      columns: sql`topic, payload, reason, failed_at as "failedAt"`,
      from: sql`dead_letters`,
      where: sql`organization_id = ${organizationId} and device_id = ${deviceId}`,
      order: sql`number desc`,
    },
    request,
  );
}
