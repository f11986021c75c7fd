import type { ReceivingGateway, SensorEvent, Uplink } from '../messages/index.ts';

export interface LastUplink {
  readonly at: number;
  readonly fPort: number;
  readonly fCnt: number;
  readonly spreadingFactor: number | null;
  readonly frequencyMhz: number | null;
  readonly rssi: number | null;
  readonly snr: number | null;
  readonly gatewayIds: readonly string[];
}

export interface LogEntry {
  readonly at: number;
  readonly level: string;
  readonly code: string;
  readonly text: string;
}

/** How many in which hour since the epoch, of the last day. */
interface HourlyCount {
  readonly hour: number;
  readonly count: number;
}

/** What the events of a sensor or gateway reported so far. Optional fields came later. */
export interface Radio {
  readonly devAddr: string | null;
  readonly lastJoinAt: number | null;
  /** Whether it joined since the last uplink: the counter begins at 0 again. */
  readonly hasJoined?: boolean;
  readonly lastUplink: LastUplink | null;
  readonly battery: number | null;
  /** Events that came already: a network server may send one twice. */
  readonly recentIds: readonly string[];
  /** The last times between two uplinks, or two statistics of a gateway, in milliseconds. */
  readonly gaps: readonly number[];
  readonly losses: readonly HourlyCount[];
  readonly retransmissions?: readonly HourlyCount[];
  readonly log: readonly LogEntry[];
  /** When each gateway last received it, of those within a day before the last uplink. */
  readonly receivedBy: readonly { readonly gatewayId: string; readonly at: number }[];
  /** Of a gateway. */
  readonly lastStatisticsAt?: number;
}

export const NO_RADIO: Radio = {
  ...{ devAddr: null, lastJoinAt: null, lastUplink: null, battery: null },
  ...{ recentIds: [], gaps: [], losses: [], log: [], receivedBy: [] },
};

const MAX_RECENT_IDS = 16;
const MAX_GAPS = 20;
const MAX_LOG = 50;
const MAX_GATEWAYS = 32;
const MAX_LOG_TEXT = 300;
const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;
/** A greater one is no loss: the counter was set, or the sensor was away. */
const MAX_FRAME_GAP = 16_384;
/** An interval up to this does not change the online window, which is three times as long at least. */
const MAX_RETRANSMISSION_MS = 300_000;

/** The gateway that received an uplink best. */
export function bestGateway(gateways: readonly ReceivingGateway[]): ReceivingGateway | null {
  const [best = null] = gateways.toSorted(
    (a, b) =>
      (b.snr ?? -Infinity) - (a.snr ?? -Infinity) || (b.rssi ?? -Infinity) - (a.rssi ?? -Infinity),
  );
  return best;
}

/**
 * How many uplinks were lost before this one; null where the counter does not show it. A counter that is
 * not higher is a retransmission, or restarts after a join.
 */
export function lostBefore(radio: Radio, { fCnt, at }: Uplink): number | null {
  const { lastUplink, hasJoined } = radio;
  if (!lastUplink || at < lastUplink.at) return null;
  const gap = fCnt - (hasJoined ? -1 : lastUplink.fCnt) - 1;
  if (gap > MAX_FRAME_GAP) return null;
  return Math.max(0, gap);
}

/**
 * Whether the sensor sent the same frame once more, at another time. Much later it is another frame of a
 * sensor whose counter restarts each time.
 */
function isRetransmission({ lastUplink, hasJoined }: Radio, { fCnt, at }: Uplink): boolean {
  if (!lastUplink || hasJoined || fCnt !== lastUplink.fCnt) return false;
  return at > lastUplink.at && at - lastUplink.at <= MAX_RETRANSMISSION_MS;
}

/** The radio after an event. An event that came already changes nothing. */
export function radioAfter(radio: Radio, event: SensorEvent): Radio {
  const { id } = event;
  if (id !== null && radio.recentIds.includes(id)) return radio;
  const recentIds = id === null ? radio.recentIds : [id, ...radio.recentIds];
  const noted = { ...radio, recentIds: recentIds.slice(0, MAX_RECENT_IDS) };
  if (event.kind === 'up') return afterUplink(noted, event);
  if (event.kind === 'join') {
    return { ...noted, lastJoinAt: event.at, devAddr: event.devAddr, hasJoined: true };
  }
  if (event.kind === 'status') return { ...noted, battery: event.battery };
  return logged(noted, event);
}

export function logged(radio: Radio, { at, level, code, text }: LogEntry): Radio {
  const entry = { at, level, code, text: text.slice(0, MAX_LOG_TEXT) };
  return { ...radio, log: [entry, ...radio.log].slice(0, MAX_LOG) };
}

function afterUplink(radio: Radio, uplink: Uplink): Radio {
  const { at, fPort, fCnt, spreadingFactor, frequencyMhz, gateways } = uplink;
  const { lastUplink } = radio;
  if (lastUplink && at < lastUplink.at) return radio;
  const best = bestGateway(gateways);
  const isAgain = isRetransmission(radio, uplink);
  const gap = lastUplink && at > lastUplink.at && !isAgain ? [at - lastUplink.at] : [];
  return {
    ...radio,
    devAddr: uplink.devAddr ?? radio.devAddr,
    battery: uplink.battery ?? radio.battery,
    hasJoined: false,
    lastUplink: {
      ...{ at, fPort, fCnt, spreadingFactor, frequencyMhz },
      rssi: best?.rssi ?? null,
      snr: best?.snr ?? null,
      gatewayIds: gateways.map(({ id }) => id),
    },
    gaps: [...gap, ...radio.gaps].slice(0, MAX_GAPS),
    losses: countedAt(radio.losses, at, lostBefore(radio, uplink) ?? 0),
    retransmissions: countedAt(radio.retransmissions ?? [], at, isAgain ? 1 : 0),
    receivedBy: receivedByAfter(radio, uplink),
  };
}

/** The same gateway in any case is one. */
function receivedByAfter({ receivedBy }: Radio, { at, gateways }: Uplink): Radio['receivedBy'] {
  const since = at - HOURS_PER_DAY * HOUR_MS;
  const ids = new Set(gateways.map(({ id }) => id.toUpperCase()));
  const others = receivedBy.filter((each) => each.at > since && !ids.has(each.gatewayId));
  return [...[...ids].map((gatewayId) => ({ gatewayId, at })), ...others].slice(0, MAX_GATEWAYS);
}

/** The counts of the day that ends at this time, with more in its hour. */
function countedAt(counts: readonly HourlyCount[], at: number, more: number): HourlyCount[] {
  const hour = Math.floor(at / HOUR_MS);
  const kept = counts.filter((each) => each.hour > hour - HOURS_PER_DAY);
  if (more === 0) return kept;
  const before = kept.find((each) => each.hour === hour)?.count ?? 0;
  return [{ hour, count: before + more }, ...kept.filter((each) => each.hour !== hour)];
}

function withinDay(counts: readonly HourlyCount[], now: number): number {
  const first = Math.floor(now / HOUR_MS) - HOURS_PER_DAY;
  return counts.reduce((sum, { hour, count }) => (hour > first ? sum + count : sum), 0);
}

export function lostWithinDay({ losses }: Radio, now: number): number {
  return withinDay(losses, now);
}

export function retransmittedWithinDay({ retransmissions = [] }: Radio, now: number): number {
  return withinDay(retransmissions, now);
}

/**
 * The radio of a gateway after statistics. Its clock may be set while it runs: a time before the last
 * one is no interval.
 */
export function radioAfterStatistics(radio: Radio, at: number): Radio {
  const { lastStatisticsAt: last } = radio;
  const gap = last !== undefined && at > last ? [at - last] : [];
  return { ...radio, lastStatisticsAt: at, gaps: [...gap, ...radio.gaps].slice(0, MAX_GAPS) };
}

const MIN_ONLINE_MINUTES = 15;
const MAX_ONLINE_MINUTES = 10_080;
/** A sensor or gateway may lose two messages in a row and is online still. */
const INTERVALS_ONLINE = 3;
/** A session that has lost its broker connects again within a minute. */
const MIN_GATEWAY_MINUTES = 2;
/** With fewer, an outage could be taken for the interval. */
const MIN_GATEWAY_GAPS = 3;

/** How long the sensor counts as online after an uplink, unless its Device has a window of its own. */
export function learnedOnlineMinutes(radio: Radio): number {
  const minutes = Math.round((INTERVALS_ONLINE * (intervalSecondsOf(radio) ?? 0)) / 60);
  return Math.min(Math.max(MIN_ONLINE_MINUTES, minutes), MAX_ONLINE_MINUTES);
}

/** The same for a gateway after statistics; null while too few are known. */
export function learnedGatewayMinutes(radio: Radio): number | null {
  if (radio.gaps.length < MIN_GATEWAY_GAPS) return null;
  const minutes = Math.ceil((INTERVALS_ONLINE * (intervalSecondsOf(radio) ?? 0)) / 60);
  return Math.min(Math.max(MIN_GATEWAY_MINUTES, minutes), MAX_ONLINE_MINUTES);
}

/** The usual time between two uplinks or statistics: the median of the last ones. */
export function intervalSecondsOf({ gaps }: Radio): number | null {
  const sorted = gaps.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return median === undefined ? null : Math.round(median / 1_000);
}
