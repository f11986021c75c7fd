import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityStory } from './stories/accessibility.ts';
import { activeAlarmsStory } from './stories/active-alarms.ts';
import { alarmHistoryStory } from './stories/alarm-history.ts';
import { dashboardStory } from './stories/dashboards.ts';
import { deviceAlarmsStory } from './stories/device-alarms.ts';
import { editorHandsStory } from './stories/editor-hands.ts';
import { focusStory } from './stories/focus.ts';
import { layoutShiftStory } from './stories/layout-shift.ts';
import { localeStory } from './stories/locale.ts';
import { maintenanceStory } from './stories/maintenance.ts';
import { mapStory } from './stories/maps.ts';
import { nodesStory } from './stories/nodes.ts';
import { overlaysStory } from './stories/overlays.ts';
import { overviewStory } from './stories/overview.ts';
import { phoneChannelStory } from './stories/phone-channels.ts';
import { providerStory } from './stories/provider.ts';
import { recoveryStory } from './stories/recovery.ts';
import { sharingStory } from './stories/sharing.ts';
import { type FilledConsole, startFilledConsole } from './support/filled-console.ts';

let filled: FilledConsole;

beforeAll(async () => {
  filled = await startFilledConsole();
});

afterAll(() => filled?.stop());

/** The stories run in this order; the first signs in for those after it. */
describe('console pages in both themes and at phone width', () => {
  accessibilityStory(() => filled);
});

describe('overlays of the console in both themes', () => {
  overlaysStory(() => filled);
});

describe('a page that could not be loaded', () => {
  recoveryStory(() => filled);
});

describe('the overview', () => {
  overviewStory(() => filled);
});

describe('active alarms', () => {
  activeAlarmsStory(() => filled);
});

describe('the alarm history', () => {
  alarmHistoryStory(() => filled);
});

describe('the focus after a deletion', () => {
  focusStory(() => filled);
});

describe('layout shift', () => {
  layoutShiftStory(() => filled);
});

describe('the locale of the browser', () => {
  localeStory(() => filled);
});

describe('the Dashboard editor', () => {
  dashboardStory(() => filled);
  sharingStory(() => filled);
  editorHandsStory(() => filled);
});

describe('the map of Locations', () => {
  mapStory(() => filled);
});

describe('a Device with many active alarms', () => {
  deviceAlarmsStory(() => filled);
});

describe('maintenance', () => {
  maintenanceStory(() => filled);
});

describe('a phone channel', () => {
  phoneChannelStory(() => filled);
});

describe('the page of nodes', () => {
  nodesStory(() => filled);
});

describe('a sign-in at an identity provider', () => {
  providerStory(() => filled);
});

it('the browser logged no error', () => {
  expect(filled.world.browserErrors).toEqual([]);
});
