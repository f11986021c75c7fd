import base from '../vitest.config.ts';

/** The long proof with external brokers, which `npm test` leaves out. */
export default {
  ...base,
  test: { ...base.test, include: ['server/test/brokers/*.proof.ts'], hookTimeout: 300_000 },
};
