import { connectAsync, type MqttClient } from 'mqtt';
import type { Locator, Page } from 'playwright-core';
import { startConsole, type TestConsole } from './console.ts';

/** Actions on a page. */
export interface PageActions {
  button(name: string | RegExp, within?: Pick<Page, 'getByRole'>): Locator;
  /** Selects an option of a select. */
  choose(label: string, option: string): Promise<void>;
}

export function pageActions(page: Page): PageActions {
  return {
    button: (name, within = page) =>
      within.getByRole('button', { name, exact: typeof name === 'string' }),
    async choose(label, option) {
      await page.getByRole('combobox', { name: label }).click();
      // An option may have a second line, which is part of its accessible name.
      const text = page.getByText(option, { exact: true });
      await page.getByRole('option').filter({ has: text }).click();
    },
  };
}

/** A user of the console, with a Device that publishes. */
export interface Journey extends PageActions {
  readonly world: TestConsole;
  readonly page: Page;
  connect(given: { username: string; password: string; topic: string }): Promise<void>;
  publish(payload: object): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startJourney(): Promise<Journey> {
  const world = await startConsole();
  const context = await world.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  let device: MqttClient | undefined;
  let topic = '';
  return {
    ...pageActions(page),
    world,
    page,
    async connect({ username, password, topic: named }) {
      topic = named;
      device = await connectAsync(world.server.mqttUrl, { username, password });
    },
    async publish(payload) {
      return device?.publishAsync(topic, JSON.stringify(payload), { qos: 1 });
    },
    async stop() {
      await device?.endAsync(true);
      await world.stop();
    },
  };
}
