import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { localText } from '../../src/runtime/local-time.ts';
import type { Journey } from '../support/journey.ts';

/** Rotas, escalation policies, pages and contact methods. Each test continues where the previous one ended. */
export function pagingStory(journey: () => Journey): void {
  it('creates a rota, shows who is on call and warns of a gap', async () => {
    const { page, button } = journey();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('tab', { name: 'Rotas' }).click();
    await button('Create rota').click();
    const form = page.getByRole('dialog', { name: 'Create a rota' });
    await form.getByLabel('Name').fill('Night shift');
    await form.getByRole('combobox', { name: 'People' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await form.getByLabel('Start date').fill('2020-01-06');
    await button('Create', form).click();
    const row = page.getByRole('row').filter({ hasText: 'Night shift' });
    await row.waitFor();
    expect(await row.innerText()).not.toContain('Nobody');
    await button('Edit: Night shift').click();
    const edit = page.getByRole('dialog', { name: 'Edit rota' });
    await edit.getByText('Next four weeks').waitFor();
    await button('Remove layer 1', edit).click();
    await button('Save', edit).click();
    await row.getByText('Nobody', { exact: true }).waitFor();
    await row.getByText('Nobody is on call from').waitFor();
  });

  it('creates an escalation policy of two steps, and warns of a rota without anybody', async () => {
    const { page, button } = journey();
    await page.getByRole('tab', { name: 'Escalation policies' }).click();
    await button('Create escalation policy').click();
    const form = page.getByRole('dialog', { name: 'Create an escalation policy' });
    await form.getByLabel('Name').fill('Plant alarms');
    await form.getByRole('combobox', { name: 'Who is paged' }).click();
    await page.getByRole('option', { name: 'Night shift' }).click();
    await page.keyboard.press('Escape');
    await button('Add step', form).click();
    const second = form.getByRole('group', { name: 'Step 2' });
    await second.getByRole('combobox', { name: 'Who is paged' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await button('Create', form).click();
    const row = page.getByRole('row').filter({ hasText: 'Plant alarms' });
    await row.getByText('1. at once: Night shift').waitFor();
    await row.getByText('2. after 5 min:').waitFor();
    await row.getByText('nobody is on call', { exact: false }).waitFor();
  });

  it('adds a heartbeat, and shows what the call of the service came to', async () => {
    const { page, button } = journey();
    await page.getByRole('tab', { name: 'Heartbeats' }).click();
    await button('Add heartbeat').click();
    const form = page.getByRole('dialog', { name: 'Add a heartbeat' });
    await form.getByLabel('Name').fill('Watchdog');
    await form.getByLabel('URL').fill('http://127.0.0.1:9/ping');
    await button('Create', form).click();
    const row = page.getByRole('row').filter({ hasText: 'Watchdog' });
    await row.getByText('Call failed', { exact: true }).waitFor();
    await row.getByText('the call failed', { exact: false }).waitFor();
  });

  it('takes over in a rota for a while, and shows the link of its calendar once', async () => {
    const { page, button } = journey();
    await page.getByRole('tab', { name: 'Rotas' }).click();
    await button('Edit: Night shift').click();
    const edit = page.getByRole('dialog', { name: 'Edit rota' });
    await button('Create calendar link', edit).click();
    await edit.getByText('/calendars/', { exact: false }).waitFor();
    await button('I take over', edit).click();
    const override = edit.getByRole('group', { name: 'Overrides' });
    await override.getByLabel('From').fill(localText(Date.now() - 3_600_000));
    await button('Add layer', edit).click();
    const layer = edit.getByRole('group', { name: 'Layer 1' });
    await layer.getByRole('combobox', { name: 'People' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await button('Add hours', layer).click();
    await layer.getByLabel('To, day 1').fill('25:00');
    await button('Save', edit).click();
    await edit.getByText('Must be a time such as 17:30, or 24:00').waitFor();
    await layer.getByLabel('To, day 1').fill('24:00');
    await button('Save', edit).click();
    const row = page.getByRole('row').filter({ hasText: 'Night shift' });
    await row.getByText('Nobody', { exact: true }).waitFor({ state: 'detached' });
  });

  it('pages oneself as a test, and acknowledges it', async () => {
    const { page, button } = journey();
    await page.getByRole('link', { name: 'Alarms', exact: true }).click();
    await page.getByRole('tab', { name: 'Pages' }).click();
    await button('Send me a test page').click();
    await page.getByText('None: this page is a test.').waitFor();
    await button('Acknowledge').click();
    await page.getByText('Page acknowledged').waitFor();
    await page.getByText('Acknowledged by').waitFor();
    expect(await button('Acknowledge').count()).toBe(0);
  });

  it('adds a contact method, which is not used before it is verified', async () => {
    const { page, button, world } = journey();
    await world.server.call(operations.createAlarmGroup, { body: { name: 'Pump alarms' } });
    await button('Account').click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByText('You have no verified contact method').waitFor();
    await page.getByLabel('Address').fill('nobody');
    await button('Add contact method').click();
    await page.getByText('Must be an email address').waitFor();
    await page.getByLabel('Address').fill('night@example.com');
    await button('Add contact method').click();
    const row = page.getByRole('row').filter({ hasText: 'night@example.com' });
    await row.getByText('Not verified').waitFor();
  });

  it('follows an alarm group, and unfollows it', async () => {
    const { page, button } = journey();
    const panel = page.getByRole('region', { name: 'Alarm groups you follow' });
    await panel.getByRole('combobox', { name: 'Alarm group' }).click();
    await page.getByRole('option', { name: 'Pump alarms' }).click();
    await button('Follow', panel).click();
    const row = panel.getByRole('row').filter({ hasText: 'Pump alarms' });
    await row.waitFor();
    await button('Unfollow: Pump alarms', panel).click();
    await row.waitFor({ state: 'detached' });
  });

  it('sets when one is contacted by what, and quiet hours that never hold what is critical', async () => {
    const { page, button } = journey();
    const panel = page.getByRole('region', { name: 'When you are contacted' });
    await panel.getByText('No rules: all verified contact methods').waitFor();
    await button('Add rule', panel).click();
    await button('Remove contact method 1', panel).click();
    await button('Save', panel).click();
    await panel.getByText('CRITICAL alarms are never left out').waitFor();
    await button('Add contact method to the rule', panel).click();
    await panel.getByRole('combobox', { name: 'Contact method' }).click();
    await page.getByRole('option', { name: 'Email night@example.com' }).click();
    await panel.getByLabel('After minutes').fill('5');
    await panel.getByText('Critical alarms are never held.').waitFor();
    await panel.getByLabel('Hold messages during quiet hours').check();
    await panel.getByLabel('From', { exact: true }).fill('21:30');
    const saved = page.waitForResponse((each) => each.request().method() === 'PATCH' && each.ok());
    await button('Save', panel).click();
    await saved;
    await page.reload();
    await panel.getByLabel('From', { exact: true }).waitFor();
    expect(await panel.getByLabel('From', { exact: true }).inputValue()).toBe('21:30');
    expect(await panel.getByLabel('After minutes').inputValue()).toBe('5');
  });
}
