/** Topics longer or deeper than this hold no path that a Variable can have. */
export const TOPIC_LIMITS = { maxBytes: 2_048, maxLevels: 64 } as const;

const ROOT = 'fieldwatch';

/** Where a Device publishes. */
export function deviceTopic(organizationId: string, deviceId: string): string {
  return `${ROOT}/${organizationId}/${deviceId}`;
}

/** Every topic of every Device. */
export const ALL_TOPICS = `${ROOT}/+/+/#`;

/** What a topic says, ids as they were written. */
export interface TopicAddress {
  readonly organizationId: string;
  readonly deviceId: string;
  /** What stands below the Device's topic; empty when nothing does. */
  readonly suffix: string;
}

/**
 * True for a topic that MQTT itself forbids. The parser turns bytes that are no UTF-8 into U+FFFD,
 * which is all that can be seen of them here.
 */
export function isMalformed(topic: string): boolean {
  return topic.includes('\0') || topic.includes('\ufffd');
}

/** False for what MQTT forbids as the topic of a message. */
export function isPublishable(topic: string): boolean {
  return topic !== '' && !topic.includes('\0') && !/[#+]/.test(topic);
}

/** False for what MQTT forbids as a filter. */
export function isFilter(filter: string): boolean {
  if (filter === '' || isMalformed(filter)) return false;
  const levels = filter.split('/');
  return levels.every(
    (level, place) =>
      level === '+' || (level === '#' && place === levels.length - 1) || !/[#+]/.test(level),
  );
}

export function isWithinLimits(topic: string): boolean {
  if (topic.length > TOPIC_LIMITS.maxBytes || Buffer.byteLength(topic) > TOPIC_LIMITS.maxBytes) {
    return false;
  }
  let levels = 1;
  for (let at = topic.indexOf('/'); at !== -1; at = topic.indexOf('/', at + 1)) levels += 1;
  return levels <= TOPIC_LIMITS.maxLevels;
}

/** The suffix when the topic is the base or below it, otherwise null. */
export function suffixBelow(base: string, topic: string): string | null {
  if (!topic.startsWith(base)) return null;
  if (topic.length === base.length) return '';
  return topic[base.length] === '/' ? topic.slice(base.length + 1) : null;
}

export function addressOf(topic: string): TopicAddress | null {
  const [root, organizationId, deviceId, ...below] = topic.split('/');
  if (root !== ROOT || !organizationId || !deviceId) return null;
  return { organizationId, deviceId, suffix: below.join('/') };
}

/** True when the standard lets a subscription to the filter get messages of the topic. */
export function matchesFilter(filter: string, topic: string): boolean {
  const wanted = filter.split('/');
  const given = topic.split('/');
  // Topics of the server itself are not for those who ask for everything.
  if (given[0]?.startsWith('$') && /^[#+]$/.test(wanted[0] ?? '')) return false;
  for (const [place, level] of wanted.entries()) {
    if (level === '#') return given.length >= place;
    if (given[place] === undefined || (level !== '+' && level !== given[place])) return false;
  }
  return given.length === wanted.length;
}

const SHARED = /^\$share(\/|$)/;

export function isShared(filter: string): boolean {
  return SHARED.test(filter);
}

/** The one filter that a Device may subscribe to. */
export function maySubscribe(base: string, filter: string): boolean {
  return filter === `${base}/#`;
}
