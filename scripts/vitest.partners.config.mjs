import base from '../vitest.config.ts';

/** Notifications to programs of others, which `npm test` leaves out. */
export default {
  ...base,
  test: { ...base.test, include: ['server/test/partners/*.proof.ts'], testTimeout: 120_000 },
};
