import { describe, expect, it } from 'vitest';
import {
  callerWith,
  DEVICE,
  memory,
  ORGANIZATION,
  prepareLive,
  reading,
  startLive,
  upTo,
  VARIABLE,
} from '../../test/support/live-rig.ts';
import { Failure } from '../runtime/index.ts';
import type { AlarmAnnouncement, AlarmSource } from './announcement.ts';
import { LIVE_LIMITS } from './limits.ts';

prepareLive();

describe('alarm events', () => {
  it('are sent at once, each with an id', async () => {
    const { source, raise } = memory();
    const { live, follow } = startLive({}, { alarms: source });
    const reader = reading(await follow());
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(reader.text).toContain('event: alarm\nid: 1\ndata: {"change":"RAISED",');
  });

  it('are replayed after the last received one, page by page, none twice', async () => {
    const { source, raise } = memory();
    const all = upTo(7).map(() => raise());
    const { live, follow } = startLive({ replayPageSize: 2 }, { alarms: source });
    const stream = await follow({}, { lastEventId: '2' });
    for (const alarm of all.slice(5)) live.announceAlarm(ORGANIZATION, alarm);
    const reader = reading(stream);
    await expect.poll(reader.ids).toEqual([3, 4, 5, 6, 7]);
    live.announceAlarm(ORGANIZATION, all[6] as AlarmAnnouncement);
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(reader.ids).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it('are replayed by the query where no header can be sent; the header has priority', async () => {
    const { source, raise } = memory();
    for (const _ of upTo(4)) raise();
    const { follow } = startLive({}, { alarms: source });
    const byQuery = reading(await follow({ lastEventId: '3' }));
    const byBoth = reading(await follow({ lastEventId: '1' }, { lastEventId: '2' }));
    await expect.poll(byQuery.ids).toEqual([4]);
    await expect.poll(byBoth.ids).toEqual([3, 4]);
  });

  it.each(['unknown', '99', 'two\nlines', 'x'.repeat(101)])(
    'are reported as missed when the id is %j',
    async (lastEventId) => {
      const { source, raise } = memory();
      raise();
      const { follow } = startLive({}, { alarms: source });
      const reader = reading(await follow({}, { lastEventId }));
      await expect.poll(reader.text).toContain('{"values":0,"alarmEvents":true}');
      expect(reader.text()).toContain('event: ready\nid: 1\n');
    },
  );

  it('pass the filters like values', async () => {
    const { source, raise } = memory();
    const others = upTo(3).map(() => raise(DEVICE));
    const { live, follow } = startLive({ replayPageSize: 2 }, { alarms: source });
    const reader = reading(await follow({ variableIds: [VARIABLE] }, { lastEventId: '0' }));
    const all = reading(await follow({ deviceIds: [DEVICE] }, { lastEventId: '0' }));
    for (const alarm of others) live.announceAlarm(ORGANIZATION, alarm);
    await expect.poll(all.ids).toEqual([1, 2, 3]);
    expect(reader.ids()).toEqual([]);
  });

  it('are not sent without the permission, also when it is lost later', async () => {
    const { source, raise } = memory();
    const { live, follow, clock } = startLive({}, { alarms: source });
    const barred = reading(await follow({}, { caller: callerWith([]), lastEventId: '0' }));
    let selection = 0;
    const lowered = reading(
      await follow(
        {},
        {
          reauthorize: async () => {
            selection += 1;
            return callerWith([]);
          },
        },
      ),
    );
    const reader = reading(await follow());
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(lowered.ids).toEqual([1]);
    clock.advance(LIVE_LIMITS.reauthorizeMs);
    await expect.poll(() => selection).toBeGreaterThan(0);
    live.announceAlarm(ORGANIZATION, raise());
    await expect.poll(reader.ids).toEqual([1, 2]);
    expect([barred.ids(), lowered.ids()]).toEqual([[], [1]]);
    expect(barred.text()).not.toContain('id:');
  });

  it.each([
    [2, ''],
    [3, ''],
    [4, 'TOO_SLOW'],
  ])('wait for a client up to 3; with %i the stream ends %s', async (count, reason) => {
    const { source, raise } = memory();
    const { live, follow } = startLive({ maxWaitingAlarms: 3 }, { alarms: source });
    const stream = await follow();
    for (const _ of upTo(count)) live.announceAlarm(ORGANIZATION, raise());
    const reader = reading(stream);
    if (reason === '') await expect.poll(reader.ids).toEqual(upTo(count));
    else await expect.poll(reader.text).toContain(`event: end\ndata: {"reason":"${reason}"}`);
    expect(live.totals()).toMatchObject({ opened: 1, ...(reason && { too_slow: 1 }) });
  });

  it('that cannot be read end the stream, so that the client reconnects', async () => {
    let calls = 0;
    const source: AlarmSource = {
      newestId: async () => '1',
      after: async () => {
        calls += 1;
        if (calls > 1) throw new Failure('STORAGE_UNAVAILABLE', 'Away.');
        return [];
      },
    };
    const { follow } = startLive({}, { alarms: source });
    const reader = reading(await follow({}, { lastEventId: '1' }));
    await expect.poll(reader.text).toContain('{"reason":"STORAGE_UNAVAILABLE"}');
  });
});
