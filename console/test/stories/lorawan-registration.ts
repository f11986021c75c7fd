import { operations } from '@fieldwatch/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { CHIRPSTACK_TOKEN, type startChirpstack } from '../../../server/test/support/chirpstack.ts';
import { goTo, type TestConsole } from '../support/console.ts';
import { type PageActions, pageActions } from '../support/journey.ts';

const DEV_EUI = '70B3D50000000A01';
const GATEWAY_EUI = '0016C001F1530A01';

/** A signed-in page, and a network server that the console's server may call. */
export interface Registration {
  readonly world: TestConsole;
  readonly page: Page;
  readonly chirpstack: Awaited<ReturnType<typeof startChirpstack>>;
}

let world: TestConsole;
let page: Page;
let actions: PageActions;
let chirpstack: Registration['chirpstack'];
let networkId: string;

/** An uplink of two bytes, a temperature in tenths. */
const send = (fCnt: number, tenths: number) =>
  world.server.call(operations.receiveLorawanEvent, {
    params: { networkId },
    query: 'event=up',
    body: {
      time: new Date(world.server.clock.now()).toISOString(),
      deviceInfo: { devEui: DEV_EUI.toLowerCase(), deviceName: 'Attic' },
      ...{ fCnt, fPort: 2, data: Buffer.from([tenths >> 8, tenths & 255]).toString('base64') },
      rxInfo: [{ gatewayId: GATEWAY_EUI.toLowerCase(), rssi: -71, snr: 8.5 }],
      txInfo: { frequency: 868_100_000, modulation: { lora: { spreadingFactor: 9 } } },
    },
  });

/**
 * The tests run in this order: each continues where the previous one ended. An empty list has the
 * button that adds to it twice.
 */
export function lorawanRegistrationStory(registration: () => Registration): void {
  beforeAll(async () => {
    ({ world, page, chirpstack } = registration());
    actions = pageActions(page);
    await goTo(page, '/administration/lorawan');
  });

  it('adds a network that registers sensors, and says which field is missing', async () => {
    const { button, choose } = actions;
    await button('Add network').first().click();
    const form = page.getByRole('dialog', { name: 'Add a LoRaWAN network' });
    await form.getByLabel('Name', { exact: true }).fill('Roof network');
    await choose('Uplinks arrive', 'By webhooks');
    await form.getByLabel('Application id').fill('plant');
    await choose('Registration of sensors and gateways', 'By this server');
    await form.getByLabel('Interface of the network server').fill(chirpstack.url);
    await form.getByLabel('API key').fill(CHIRPSTACK_TOKEN);
    await button('Create', form).click();
    await form.getByText(/is required with the provisioning PUSH/i).waitFor();
    await form.getByLabel('Device profile id').fill('profile-1');
    await button('Create', form).click();
    await form.waitFor({ state: 'hidden' });
    const { body } = await world.server.call(operations.listLorawanNetworks, {});
    expect(body.items[0]).toMatchObject({ provisioning: 'PUSH', api: { hasToken: true } });
    networkId = body.items[0].id;
  });

  it('adds a codec, and tries it before it is used', async () => {
    const { button } = actions;
    await goTo(page, '/administration/codecs');
    await button('Add codec').first().click();
    const form = page.getByRole('dialog', { name: 'Add a codec' });
    await form.getByLabel('Name', { exact: true }).fill('Temperature probe');
    await button('Create', form).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByText('Temperature probe').first().waitFor();
  });

  /** Opens the form of a Device of this type. */
  async function addDevice(name: string, type: string): Promise<Locator> {
    await goTo(page, '/devices');
    await actions.button('Add Device').first().click();
    const form = page.getByRole('dialog', { name: 'Add a Device' });
    await form.getByLabel('Name', { exact: true }).fill(name);
    await form.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: type }).click();
    return form;
  }

  /** Creates the Device, and waits until its network has it. */
  async function register(form: Locator): Promise<void> {
    const { button, choose } = actions;
    await choose('Network', 'Roof network');
    await button('Create', form).click();
    await button('I have copied it').click();
    await page.getByRole('tab', { name: 'Radio' }).click();
    await page.getByText('Registered', { exact: true }).waitFor();
  }

  it('registers a sensor by its three keys, and shows its first value and its radio', async () => {
    const { button, choose } = actions;
    const form = await addDevice('Attic sensor', 'LoRaWAN device');
    await form.getByLabel(/^Device EUI/).fill(DEV_EUI);
    await form.getByLabel(/^Application EUI/).fill('0102030405060708');
    await form.getByLabel(/^Application key/).fill('0123456789ABCDEF0123456789ABCDEF');
    await choose('Codec', 'Temperature probe');
    await register(form);
    expect(chirpstack.devices.get(DEV_EUI.toLowerCase())?.getName()).toBe('Attic sensor');

    expect((await send(1, 225)).body).toEqual({ isStored: true });
    await page.getByRole('tab', { name: /Unmatched/ }).click();
    await button('Create Variable: payload.temperature').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Unit').fill('°C');
    await button('Create', dialog).click();
    await dialog.waitFor({ state: 'hidden' });
    world.server.clock.advance(1_000);
    await send(2, 231);
    await page.getByRole('tab', { name: 'Values' }).click();
    await page.getByText('23.1 °C').first().waitFor();
    await page.getByRole('tab', { name: 'Radio' }).click();
    await page.getByText('-71 dBm, 8.5 dB').waitFor();
    await page.getByText('SF9, 868.1 MHz').waitFor();
    await page.getByText('Next uplink expected').waitFor();
    await button('Record from now on').click();
    await page.getByText('No Variable records them yet.').waitFor({ state: 'hidden' });
    await button('Record from now on').waitFor({ state: 'hidden' });
    const { body: variables } = await world.server.call(operations.listVariables, {});
    expect(
      variables.items.map((each: { topicPropertyPath: string }) => each.topicPropertyPath),
    ).toEqual(expect.arrayContaining(['lorawan.snr', 'lorawan.spreadingFactor']));
  });

  it('registers a gateway by its EUI, and shows its network', async () => {
    const form = await addDevice('Roof gateway', 'LoRaWAN gateway, edge');
    await form.getByLabel(/^Gateway EUI/).fill(GATEWAY_EUI);
    await register(form);
    expect(chirpstack.gateways.get(GATEWAY_EUI.toLowerCase())?.getName()).toBe('Roof gateway');
  });
}
