import type { AlarmEvent, Severity } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { DescribedEvent, Message, PageNote } from '../fan-out/index.ts';

/** What a page reports, before it is addressed to anyone. */
export interface PageContent {
  readonly kind: 'raised' | 'cleared';
  readonly at: number;
  /** The events that are named, the gravest first. */
  readonly events: readonly DescribedEvent[];
  readonly eventCount: number;
  readonly counts: Readonly<Partial<Record<Severity, number>>>;
  readonly note: Omit<PageNote, keyof PageAnswers>;
}

/** How the recipient of a message may answer it. */
export type PageAnswers = Pick<PageNote, 'acknowledgeUrl' | 'replyCode'>;

/** One event as itself, several as a digest: every channel can show both. */
export function pageMessageOf(content: PageContent, answers: PageAnswers): Message {
  const { kind, events, eventCount, counts } = content;
  const timestamp = isoDateTime(content.at);
  const page = { ...content.note, ...answers };
  const messages = events.map(({ event, context }) => ({
    type: `alarm.${kind}` as const,
    timestamp,
    data: event,
    context,
  }));
  const [only] = messages;
  if (only && eventCount === 1) return { ...only, page };
  const data = { count: eventCount, counts: { [kind]: counts }, messages };
  return { type: 'alarm.digest', timestamp, data, page };
}

/** The event of a test page, which no Alarm has raised. */
export function testEvent(pageId: string, at: number): DescribedEvent {
  const event: AlarmEvent = {
    id: pageId,
    alarmId: pageId,
    alarmName: 'Test page, no alarm',
    severity: 'INFO',
    operator: 'EQUAL',
    thresholdValue: true,
    deviceId: pageId,
    deviceName: 'Fieldwatch',
    deviceVariableId: pageId,
    deviceVariableName: 'Test',
    assetIds: [],
    locationId: null,
    alarmGroupId: null,
    raisedDateTime: isoDateTime(at),
    raisedValue: true,
    clearedDateTime: null,
    clearedValue: null,
    clearedReason: null,
    isAcknowledgeable: true,
    acknowledgedDateTime: null,
    acknowledgedBy: null,
    notes: [],
  };
  return { event, context: { unit: null, locationPath: [], timeZone: null } };
}
