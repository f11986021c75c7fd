import type { Page } from 'playwright-core';
import { CLIENT_ID, type LocalIssuer, startIssuer } from '../../../server/test/support/issuer.ts';
import { startConsole, type TestConsole } from './console.ts';
import { type Fleet, fillServer } from './fleet.ts';

/** A console with a record of each kind and an identity provider, and a page for an administrator. */
export interface FilledConsole {
  readonly world: TestConsole;
  readonly fleet: Fleet;
  readonly issuer: LocalIssuer;
  /** Shared by the stories, so that the console is loaded and compiled once. */
  readonly page: Page;
  stop(): Promise<void>;
}

export async function startFilledConsole(): Promise<FilledConsole> {
  let now = Date.now;
  const issuer = await startIssuer(() => now());
  const world = await startConsole({
    env: {
      FIELDWATCH_OIDC_ISSUER: issuer.url,
      FIELDWATCH_OIDC_CLIENT_ID: CLIENT_ID,
      FIELDWATCH_OIDC_NAME: 'Example ID',
    },
  });
  now = world.server.clock.now;
  const fleet = await fillServer(world.server);
  const page = await (await world.newContext({ colorScheme: 'light' })).newPage();
  return {
    ...{ world, fleet, issuer, page },
    async stop() {
      await world.stop();
      await issuer.stop();
    },
  };
}
