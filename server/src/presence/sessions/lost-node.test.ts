import { expect, it, onTestFinished } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { SOLE_MEMBER, SOLE_OWNER } from '../../../test/support/sole-owner.ts';
import type { PeerHandler } from '../../nodes/index.ts';
import { createLog } from '../../runtime/index.ts';
import { encoded, type SessionReport } from './report.ts';
import { SessionReports } from './session-reports.ts';

const eventually = { timeout: 5_000, interval: 20 };
const GRACE_MS = 30_000;
const DEVICE = { deviceId: '018f0000-0000-7000-8000-00000000000a', organizationId: 'organization' };
const OTHER = 2;

/** The owner of a Device that has a session at another node, which is lost then. */
async function start() {
  const clock = createStillClock();
  const changes: boolean[] = [];
  const handlers = new Map<string, PeerHandler>();
  let ticks = 0;
  const reports = new SessionReports({
    ownership: SOLE_OWNER,
    membership: {
      ...SOLE_MEMBER,
      get nodes() {
        ticks += 1;
        return [];
      },
    },
    peers: { serve: (method, handler) => void handlers.set(method, handler), call: never },
    clock,
    log: createLog('silent'),
    onChanged: ({ deviceId }) => void changes.push(reports.isConnected(deviceId)),
  });
  onTestFinished(() => reports.stop());
  const session = { clientId: 'client', number: 1 };
  const report: SessionReport = {
    ...{ epoch: OTHER, sequence: 1, full: [10] },
    devices: [{ ...DEVICE, sessions: [session] }],
  };
  await handlers.get('report-sessions')?.(encoded(report), 'other');
  reports.start();
  return {
    clock,
    changes,
    async tick() {
      const before = ticks;
      await expect.poll(() => ticks, eventually).toBeGreaterThan(before + 1);
    },
  };
}

const never = () => Promise.reject(new Error('there is no other node'));

it('a Device whose node is lost stays connected for the grace time, and no longer', async () => {
  const { clock, changes, tick } = await start();
  await tick();
  expect(changes).toEqual([true]);
  clock.advance(GRACE_MS - 1);
  await tick();
  expect(changes).toEqual([true]);
  clock.advance(1);
  await tick();
  expect(changes).toEqual([true, false]);
});
