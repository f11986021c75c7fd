import { describe, expect, it } from 'vitest';
import { deviceTopic } from '../wire/topic.ts';
import { createTopicAccess } from './topic-access.ts';
import { Targets } from './topic-cache.ts';

const handle = (deviceId: string) => ({ deviceId, peek: () => undefined, get: async () => null });
const access = createTopicAccess({ handle });
const newTargets = () =>
  new Targets((topic) => access.routeOf({ organizationId: 'o', deviceId: 'gateway' }, topic));

function find(targets: Targets, topic: string | Buffer) {
  const bytes = Buffer.concat([Buffer.from('<<'), Buffer.from(topic), Buffer.from('>>')]);
  return targets.find(bytes, 2, bytes.length - 2);
}

describe('the topics of a connection', () => {
  it('lead to the same targets in whatever order they come', () => {
    const targets = newTargets();
    const topics = Array.from({ length: 20 }, (_, n) => deviceTopic('o', `child-${n % 10}${n}`));
    const first = topics.map((topic) => find(targets, topic));
    for (let step = 1; step < 7; step += 1) {
      for (let at = 0; at < 200; at += 1) {
        const place = (at * step * step) % topics.length;
        expect(find(targets, topics[place] as string)).toBe(first[place]);
      }
    }
    expect(first.map((target) => target?.topic)).toEqual(topics);
  });

  it('are their own, a child’s, or refused', () => {
    const targets = newTargets();
    const seen = ['o/gateway/a', 'o/child/b/c', 'other/child'].map((rest) => {
      const target = find(targets, `fieldwatch/${rest}`);
      return [target?.device.deviceId, target?.suffix, target?.isOwn, target?.refusal === null];
    });
    expect(seen).toEqual([
      ['gateway', 'a', true, true],
      ['child', 'b/c', false, true],
      ['gateway', '', false, false],
    ]);
  });

  it('may be very many, of which the oldest are looked at again', () => {
    const targets = newTargets();
    const topicOf = (n: number) => deviceTopic('o', `child-${n}`);
    const first = find(targets, topicOf(0));
    for (let n = 1; n < 4_096; n += 1) find(targets, topicOf(n));
    expect(find(targets, topicOf(0))).toBe(first);
    find(targets, topicOf(4_096));
    const again = find(targets, topicOf(0));
    expect(again?.topic).toBe(topicOf(0));
  });

  it('are not kept when they are refused', () => {
    const targets = newTargets();
    const long = `fieldwatch/o/gateway/${'x'.repeat(3_000)}`;
    const first = find(targets, long);
    expect(first?.refusal).not.toBeNull();
    find(targets, 'fieldwatch/o/gateway');
    const again = find(targets, long);
    expect(again?.refusal).toBe(first?.refusal);
    expect(again).not.toBe(first);
  });

  it('are none when MQTT forbids them, before and after others', () => {
    const targets = newTargets();
    const bad = ['', 'a/#', 'a/+/b', 'a\0b', Buffer.from([0x61, 0xff])];
    for (const topic of [...bad, ...bad]) {
      expect(find(targets, topic)).toBeNull();
      expect(find(targets, 'fieldwatch/o/gateway')?.isOwn).toBe(true);
    }
  });
});
