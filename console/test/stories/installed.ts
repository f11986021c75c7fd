import { expect, it, onTestFinished } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import type { Journey } from '../support/journey.ts';

/** The console as an installed app, with its service worker. */
export function installedStory(journey: () => Journey): void {
  it('opens without a connection, from a cache that holds the shell and no reply of the API', async () => {
    const { world } = journey();
    const { adminEmail, adminPassword } = world.server;
    const context = await world.newContext({ serviceWorkers: 'allow' });
    const page = await context.newPage();
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Account' }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const opened = await Promise.all(names.map((name) => caches.open(name)));
      const requests = await Promise.all(opened.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain('/');
    expect(kept.filter((path) => !/^\/(?:static\/.*|theme\.js|icon\.svg)?$/.test(path))).toEqual(
      [],
    );
    world.network.disconnect();
    await page.goto('/devices');
    await page.getByText('The server cannot be reached.').waitFor();
    world.network.reconnect();
    await context.close();
  });

  it('shows a pushed alarm as a notification, replaced by its end, and opens its event by a click', async () => {
    const { world } = journey();
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const context = await world.newContext(
      { serviceWorkers: 'allow', permissions: ['notifications'] },
      browser,
    );
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations;
        if (first) resolve(first.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    const registrationId = await registered;
    const push = (type: string, title: string) =>
      devtools.send('ServiceWorker.deliverPushMessage', {
        origin: world.network.url,
        registrationId,
        data: JSON.stringify({ type, title, body: '', path: '/alarms/events/1', tag: '1' }),
      });
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        return (await registration.getNotifications()).map(({ title }) => title);
      });
    await push('alarm.raised', '[HIGH] Oil pressure low');
    await expect.poll(shown).toEqual(['[HIGH] Oil pressure low']);
    await push('alarm.cleared', '[HIGH] Cleared: Oil pressure low');
    await expect.poll(shown).toEqual(['[HIGH] Cleared: Oil pressure low']);
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(`(async () => {
      const [notification] = await self.registration.getNotifications();
      self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    })()`);
    await page.waitForURL(/\/alarms\/events\/1$/);
  });
}
