import { describe, expect, it } from 'vitest';
import { deviceTopic } from '../wire/topic.ts';
import { createTopicAccess } from './topic-access.ts';
import { TopicCache } from './topic-cache.ts';

const handle = (deviceId: string) => ({ deviceId, peek: () => undefined, get: async () => null });
const access = createTopicAccess({ handle });
const newTopicCache = () =>
  new TopicCache((topic) => access.routeOf({ organizationId: 'o', deviceId: 'gateway' }, topic));

function find(cache: TopicCache, topic: string | Buffer) {
  const bytes = Buffer.concat([Buffer.from('<<'), Buffer.from(topic), Buffer.from('>>')]);
  return cache.find(bytes, 2, bytes.length - 2);
}

describe('the topic cache of a connection', () => {
  it('returns the same route for a topic in any order of topics', () => {
    const cache = newTopicCache();
    const topics = Array.from({ length: 20 }, (_, n) => deviceTopic('o', `child-${n % 10}${n}`));
    const first = topics.map((topic) => find(cache, topic));
    for (let step = 1; step < 7; step += 1) {
      for (let at = 0; at < 200; at += 1) {
        const index = (at * step * step) % topics.length;
        expect(find(cache, topics[index] as string)).toBe(first[index]);
      }
    }
    expect(first.map((route) => route?.topic)).toEqual(topics);
  });

  it('routes own topics and those of children, and refuses others', () => {
    const cache = newTopicCache();
    const seen = ['o/gateway/a', 'o/child/b/c', 'other/child'].map((rest) => {
      const route = find(cache, `fieldwatch/${rest}`);
      return [route?.device.deviceId, route?.suffix, route?.isOwn, route?.refusal === null];
    });
    expect(seen).toEqual([
      ['gateway', 'a', true, true],
      ['child', 'b/c', false, true],
      ['gateway', '', false, false],
    ]);
  });

  it('routes topics beyond its capacity again', () => {
    const cache = newTopicCache();
    const topicOf = (n: number) => deviceTopic('o', `child-${n}`);
    const first = find(cache, topicOf(0));
    for (let n = 1; n < 4_096; n += 1) find(cache, topicOf(n));
    expect(find(cache, topicOf(0))).toBe(first);
    find(cache, topicOf(4_096));
    const again = find(cache, topicOf(0));
    expect(again?.topic).toBe(topicOf(0));
  });

  it('does not hold refused topics', () => {
    const cache = newTopicCache();
    const long = `fieldwatch/o/gateway/${'x'.repeat(3_000)}`;
    const first = find(cache, long);
    expect(first?.refusal).not.toBeNull();
    find(cache, 'fieldwatch/o/gateway');
    const again = find(cache, long);
    expect(again?.refusal).toBe(first?.refusal);
    expect(again).not.toBe(first);
  });

  it('has no route for topics that MQTT forbids, before and after others', () => {
    const cache = newTopicCache();
    const bad = ['', 'a/#', 'a/+/b', 'a\0b', Buffer.from([0x61, 0xff])];
    for (const topic of [...bad, ...bad]) {
      expect(find(cache, topic)).toBeNull();
      expect(find(cache, 'fieldwatch/o/gateway')?.isOwn).toBe(true);
    }
  });
});
