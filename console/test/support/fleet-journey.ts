import type { Page } from 'playwright-core';
import type { TestConsole } from './console.ts';
import type { PageActions } from './journey.ts';
import type { LargeFleet } from './large-fleet.ts';

/** An administrator in front of a large fleet. */
export interface FleetJourney extends PageActions {
  readonly world: TestConsole;
  readonly page: Page;
  readonly fleet: LargeFleet;
}
