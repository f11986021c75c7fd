import { expect, it } from 'vitest';
import { send } from '../../test/support/call.ts';
import { start, stopAfterEach } from '../../test/support/http.ts';
import { serveProbes } from './probes.ts';

stopAfterEach();

it('parallel readiness probes share one check of storage, and later ones check again', async () => {
  let looks = 0;
  let finish = () => {};
  const check = () => {
    looks += 1;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const url = await start([], {
    serveMore: (serve) => serveProbes(serve, { check }, { text: async () => '' }),
  });
  const probes = Array.from({ length: 20 }, () => send(url, 'GET', '/readyz'));
  // This one is answered after those before it have arrived.
  expect((await send(url, 'GET', '/healthz')).status).toBe(200);
  expect(looks).toBe(1);
  const finishing = setInterval(() => finish(), 10);
  const statuses = (await Promise.all(probes)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const before = looks;
  expect((await send(url, 'GET', '/readyz')).status).toBe(200);
  expect(looks).toBe(before + 1);
  clearInterval(finishing);
});
