import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { Journey } from '../support/journey.ts';

const DEV_EUI = '70B3D50000000001';

/** A sensor of LoRaWAN, from its first uplink to its value. */
export function lorawanStory(journey: () => Journey): void {
  it('creates a Device of a sensor that sent, and shows its radio and its paths', async () => {
    const { page, world, button } = journey();
    const { server } = world;
    const { body: network } = await server.call(operations.createLorawanNetwork, {
      body: {
        ...{ name: 'Roof network', kind: 'CHIRPSTACK_V4', ingest: 'WEBHOOK', applicationId: 'app' },
      },
    });
    const send = (fCnt: number) =>
      server.call(operations.receiveLorawanEvent, {
        params: { networkId: network.id },
        query: 'event=up',
        body: {
          time: new Date(server.clock.now()).toISOString(),
          deviceInfo: { devEui: DEV_EUI, deviceName: 'Attic' },
          ...{ fCnt, fPort: 1, data: 'AOE=', object: { temperature: 22.5 } },
          rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -36, snr: 10.5 }],
        },
      });
    expect((await send(1)).body).toEqual({ isStored: false });
    await goTo(page, '/administration/lorawan');
    await button(`Create Device of ${DEV_EUI}`).click();
    const form = page.getByRole('dialog', { name: 'Create Device' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Attic');
    await button('Create', form).click();
    await page.getByText('At the network server, by hand').waitFor();
    await send(2);
    await page.getByText('-36 dBm, 10.5 dB').waitFor();
    await page.getByRole('tab', { name: /Unmatched/ }).click();
    await page.getByText('payload.temperature').first().waitFor();
    await page.getByRole('tab', { name: 'Radio' }).click();
    await button(/^Record/).click();
    await page.getByRole('application', { name: /Chart of/ }).focus();
    await page.keyboard.press('+');
    await page.waitForURL(/from=/);
    expect(new URL(page.url()).searchParams.get('tab')).toBe('radio');
  });
}
