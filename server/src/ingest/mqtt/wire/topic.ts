/** Longer or deeper topics contain no path that a Variable can have. */
export const TOPIC_LIMITS = { maxBytes: 2_048, maxLevels: 64 } as const;

const ROOT = 'fieldwatch';

/** The topic of a Device. */
export function deviceTopic(organizationId: string, deviceId: string): string {
  return `${ROOT}/${organizationId}/${deviceId}`;
}

/** Every topic of every Device. */
export const ALL_TOPICS = `${ROOT}/+/+/#`;

/** The parts of a topic, with ids in their original case. */
export interface TopicAddress {
  readonly organizationId: string;
  readonly deviceId: string;
  /** The levels below the topic of the Device; empty without any. */
  readonly suffix: string;
}

/** False for topics of messages that MQTT forbids. */
export function isPublishable(topic: string): boolean {
  return topic !== '' && !topic.includes('\0') && !/[#+]/.test(topic);
}

/** False for filters that MQTT forbids. */
export function isFilter(filter: string): boolean {
  if (filter === '' || filter.includes('\0')) return false;
  const levels = filter.split('/');
  return levels.every(
    (level, index) =>
      level === '+' || (level === '#' && index === levels.length - 1) || !/[#+]/.test(level),
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

/** True when the filter matches the topic by the rules of MQTT. */
export function matchesFilter(filter: string, topic: string): boolean {
  const wanted = filter.split('/');
  const given = topic.split('/');
  // A wildcard at the first level does not match topics that begin with $.
  if (given[0]?.startsWith('$') && /^[#+]$/.test(wanted[0] ?? '')) return false;
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return given.length >= index;
    if (given[index] === undefined || (level !== '+' && level !== given[index])) return false;
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
