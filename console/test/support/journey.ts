import { connectAsync, type MqttClient } from 'mqtt';
import type { Locator, Page } from 'playwright-core';
import { startConsole, type TestConsole } from './console.ts';

/** What a hand does on a page. */
export interface Hands {
  button(name: string | RegExp, within?: Pick<Page, 'getByRole'>): Locator;
  /** Takes an option of a select. */
  choose(label: string, option: string): Promise<void>;
}

export function handsOn(page: Page): Hands {
  return {
    button: (name, within = page) =>
      within.getByRole('button', { name, exact: typeof name === 'string' }),
    async choose(label, option) {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
  };
}

/** A person in front of the console, with a Device that reports. */
export interface Journey extends Hands {
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
    ...handsOn(page),
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
