/** A sentence of a document, the number in it, and the constant that the number must equal. */
export interface QuotedConstant {
  readonly document: string;
  readonly quote: string;
  readonly value: number;
  /** How much of the constant's unit one of the document's is. */
  readonly unit: number;
  readonly folder: string;
  readonly name: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIB = 1024;
const MIB = 1024 * KIB;

type Row = readonly [quote: string, value: number, name: string, unit?: number];

function quoted(document: string, folder: string, rows: readonly Row[]): QuotedConstant[] {
  return rows.map(([quote, value, name, unit = 1]) => ({
    document,
    quote,
    value,
    unit,
    folder,
    name,
  }));
}

export const QUOTED_CONSTANTS: readonly QuotedConstant[] = [
  ...quoted('docs/live.md', 'server/src/live', [
    ['At most 50 streams per credential', 50, 'maxPerCredential'],
    ['500 per organization', 500, 'maxPerOrganization'],
    ['2 000 in total', 2_000, 'maxStreams'],
    ['at most 1 000 values', 1_000, 'maxBatchValues'],
    ['up to 10 000 Variables', 10_000, 'maxWaitingWeight'],
    ['when 1 000 are waiting', 1_000, 'maxWaitingAlarms'],
    ['when the client reads nothing for 60 s', 60, 'stalledMs', SECOND],
    ['at most every ten seconds', 10, 'deviceAnnounceMs', SECOND],
  ]),
  ...quoted('docs/live.md', 'contract/src', [
    ['{"heartbeatSeconds":15}', 15, 'LIVE_HEARTBEAT_SECONDS'],
    ['at most 200 values', 200, 'MAX_FILTER_VALUES'],
  ]),
  ...quoted('docs/mqtt.md', 'server/src/ingest/mqtt', [
    ['| Packet | 256 KiB;', 256, 'maxPacketBytes', KIB],
    ['16 KiB before the client has signed in', 16, 'maxConnectBytes', KIB],
    ['2048 bytes', 2_048, 'TOPIC_LIMITS.maxBytes'],
    ['64 levels', 64, 'maxLevels'],
    ['1000 messages or 1 MiB', 1_000, 'MESSAGE_QUEUE_LIMITS.maxMessages'],
    ['1000 messages or 1 MiB', 1, 'MESSAGE_QUEUE_LIMITS.maxBytes', MIB],
    ['10 000 alarm events', 10_000, 'ALARM_QUEUE_LIMITS.maxMessages'],
    ['10 per Device', 10, 'maxSessionsPerDevice'],
    ['100 per API key', 100, 'maxSessionsPerKey'],
    ['signed in | 2000,', 2_000, 'maxPending'],
    ['1000 per address', 1_000, 'maxPendingPerAddress'],
    ['Time to sign in | 10 seconds', 10, 'connectTimeoutMs', SECOND],
    ['wait more than 30 seconds', 30, 'MAX_WAIT_MS', SECOND],
    ['Topic aliases (MQTT 5) | 16', 16, 'TOPIC_ALIASES'],
    ['at most 100, and the next one after', 100, 'MAX_IN_FLIGHT'],
    ['Client identifier over 256 characters', 256, 'MAX_CLIENT_ID_LENGTH'],
    ['At most 64 messages of a session are in flight', 64, 'RECEIVE_MAXIMUM'],
    ['or within 2 s, and removes the subscription', 2, 'SUBSCRIBE_TIMEOUT_MS', SECOND],
    ['retries every second', 1, 'RETRY_MS', SECOND],
    ['when the others know of it, or after 1 s', 1, 'MAX_ANNOUNCE_MS', SECOND],
    ['delays that by at most 5 s', 5, 'MAX_HOLD_MS', SECOND],
    ['Up to 10 000 messages or 4 MiB wait', 10_000, 'MAX_QUEUED_MESSAGES'],
    ['Up to 10 000 messages or 4 MiB wait', 4, 'MAX_QUEUED_BYTES', MIB],
  ]),
  ...quoted('docs/running.md', 'server/src/http', [
    ['gives requests in progress 5 seconds', 5, 'stopTimeoutMs', SECOND],
    ['at most 256 per address', 256, 'maxWaitingPerAddress'],
    ['1 024 in total may wait', 1_024, 'maxWaiting'],
    ['Headers must arrive within 10 s', 10, 'headersTimeoutMs', SECOND],
    ['a request within 30 s', 30, 'requestTimeoutMs', SECOND],
    ['an idle connection is closed after 30 s', 30, 'anonymousIdleTimeoutMs', SECOND],
  ]),
  ...quoted('docs/running.md', 'server/src/storage', [
    ['probes storage at most every two seconds', 2, 'OUTCOME_LIFETIME_MS', SECOND],
  ]),
  ...quoted('docs/running.md', 'server/src/storage/clock-check', [
    ['more than a minute behind', 1, 'MAX_BEHIND_MS', MINUTE],
    ['more than a day ahead', 1, 'MAX_AHEAD_MS', DAY],
    ['Reported for a day', 1, 'STEP_SHOWN_MS', DAY],
  ]),
  ...quoted('docs/running.md', 'server/src/runtime', [
    ['at most ten lines per minute', 10, 'MAX_LINES_PER_MINUTE'],
    ['checks the files every two seconds', 2, 'CHECK_INTERVAL_MS', SECOND],
  ]),
  ...quoted('docs/running.md', 'server/src/access', [
    ['12 to 256 characters', 12, 'MIN_PASSWORD_LENGTH'],
    ['12 to 256 characters', 256, 'MAX_PASSWORD_LENGTH'],
  ]),
  ...quoted('docs/alarms.md', 'server/src/alarms', [
    ['has been ready for 30 seconds', 30, 'GRACE_MS', SECOND],
    ['at most 10 000 000 readings', 10_000_000, 'MAX_BACKTEST_READINGS'],
    ['and the server 4 (503)', 4, 'MAX_CONCURRENT_BACKTESTS'],
  ]),
  ...quoted('docs/alarms.md', 'contract/src', [
    ['lists the first 1 000', 1_000, 'MAX_BACKTEST_EVENTS'],
  ]),
  ...quoted('docs/notifications.md', 'server/src/notify', [
    ['five minutes to connect and sign in', 5, 'setupMs', MINUTE],
    ['five minutes for the addresses', 5, 'envelopeMs', MINUTE],
    ['thirteen minutes for the content', 13, 'contentMs', MINUTE],
    ['At most four deliveries to one webhook', 4, 'MAX_CONCURRENT_POSTS'],
    ['at most 24 webhooks', 24, 'WEBHOOK'],
    ['at most five addresses', 5, 'EMAIL'],
    ['For 24 hours deliveries carry two signatures', 24, 'PREVIOUS_SECRET_MS', HOUR],
    ['Finished deliveries are kept for 30 days', 30, 'DELIVERY_RETENTION_MS', DAY],
  ]),
  ...quoted('docs/notifications.md', 'server/src/runtime/outbound', [
    ['within 10 seconds', 10, 'totalMs', SECOND],
  ]),
  ...quoted('docs/errors.md', 'server/src/http', [
    ['1 MiB, 4 MiB for readings', 1, 'BODY_LIMIT_BYTES', MIB],
    ['16 KiB for operations without credentials', 16, 'ANONYMOUS_BODY_LIMIT_BYTES', KIB],
    ['At most 100 fields are listed', 100, 'MAX_ERRORS'],
    ['within the last 24 hours', 24, 'RETENTION_MS', HOUR],
  ]),
  ...quoted('docs/errors.md', 'server/src/readings/export', [
    ['exports (4)', 4, 'MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL'],
  ]),
  ...quoted('docs/interface.md', 'server/src/http', [
    ['at most 20 000 values', 20_000, 'MAX_BODY_VALUES'],
    ['more than 3 000 values', 3_000, 'MAX_EXPLAINED_VALUES'],
  ]),
  ...quoted('docs/interface.md', 'contract/src', [
    ['records on the page, 1 to 1000', 1_000, 'MAX_TAKE'],
    ['| `take` | 25 |', 25, 'DEFAULT_TAKE'],
    ['for up to 50 Variables', 50, 'MAX_READINGS_IDS'],
    ['is at most 50 000', 50_000, 'MAX_READINGS_TOGETHER'],
    ['the first 10 000', 10_000, 'MAX_LISTED_REJECTIONS'],
  ]),
  ...quoted('docs/interface.md', 'server/src/ingest', [
    ['at most 200 000 readings', 200_000, 'MAX_READINGS'],
    ['more than ten minutes ahead', 10, 'MAX_AHEAD_MS', MINUTE],
    ['text of at most 4096 characters', 4_096, 'MAX_STRING_LENGTH'],
  ]),
  ...quoted('docs/interface.md', 'server/src/readings/export', [
    ['at most 4 exports', 4, 'MAX_CONCURRENT_EXPORTS_PER_CREDENTIAL'],
    ['8; the server closes', 8, 'MAX_CONCURRENT_EXPORTS'],
  ]),
  ...quoted('docs/interface.md', 'server/src/access', [
    ['within 10 seconds of its first use', 10, 'COOKIE_GRACE_MS', SECOND],
  ]),
  ...quoted('docs/home-assistant.md', 'server/src/home-assistant', [
    ['At most 1 000 Devices', 1_000, 'maxDevices'],
    ['and 10 000 Variables', 10_000, 'maxVariables'],
    ['has at most 5 connections', 5, 'MAX_CONNECTIONS_PER_ORGANIZATION'],
    ['sent once a second', 1, 'publishMs', SECOND],
    ['after a minute at most', 1, 'maxRetryMs', MINUTE],
    ['the first 255 characters', 255, 'MAX_STATE_LENGTH'],
  ]),
  ...quoted('SECURITY.md', 'server/src/access', [
    ['Access tokens are valid for 15 minutes', 15, 'ACCESS_LIVES_MS', MINUTE],
    ['refresh tokens for 7 days', 7, 'REFRESH_LIVES_MS', DAY],
    ['sessions for 30 days', 30, 'SESSION_LIVES_MS', DAY],
    ['10 failed sign-ins per account and address', 10, 'failuresPerAccountAndAddress'],
    ['50 per address and', 50, 'failuresPerAddress'],
    ['500 per account', 500, 'failuresPerAccount'],
  ]),
  ...quoted('docs/threat-model.md', 'server/src/ingest', [
    ['At most 500 unmatched paths', 500, 'MAX_UNMATCHED'],
  ]),
];
