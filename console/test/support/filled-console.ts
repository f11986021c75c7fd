import type { Page } from 'playwright-core';
import { CLIENT_ID, type LocalIssuer, startIssuer } from '../../../server/test/support/issuer.ts';
import { startConsole, type TestConsole } from './console.ts';
import { type Fleet, fillServer } from './fleet.ts';
import { startTileServer, type TileServer } from './tile-server.ts';

/** A console with a record of each kind, an identity provider and a tile server, and a page for an administrator. */
export interface FilledConsole {
  readonly world: TestConsole;
  readonly fleet: Fleet;
  readonly issuer: LocalIssuer;
  readonly tiles: TileServer;
  /** Shared by the stories, so that the console is loaded and compiled once. */
  readonly page: Page;
  stop(): Promise<void>;
}

/** A browser with windows grants these by itself to a page that is used; the headless shell does not. */
const GRANTED = ['clipboard-write', 'screen-wake-lock'];

export async function startFilledConsole(): Promise<FilledConsole> {
  let now = Date.now;
  const issuer = await startIssuer(() => now());
  const tiles = await startTileServer();
  const world = await startConsole({
    env: {
      FIELDWATCH_PUBLIC_URL: 'https://watch.example.com',
      FIELDWATCH_OIDC_ISSUER: issuer.url,
      FIELDWATCH_OIDC_CLIENT_ID: CLIENT_ID,
      FIELDWATCH_OIDC_NAME: 'Example ID',
      FIELDWATCH_MAP_TILES_URL: tiles.url,
      FIELDWATCH_MAP_TILES_ATTRIBUTION: '© Example maps',
    },
  });
  now = world.server.clock.now;
  const fleet = await fillServer(world.server);
  const context = await world.newContext({ colorScheme: 'light', permissions: GRANTED });
  const page = await context.newPage();
  return {
    ...{ world, fleet, issuer, tiles, page },
    async stop() {
      await world.stop();
      await issuer.stop();
      await tiles.stop();
    },
  };
}
