// `node bench/console-frames.mjs`: the responsiveness of a chart of the console, in real Chromium
// against a real server. How long frames take while a chart is moved, and how long a year takes to
// open beside an hour. Needs a build; ends with 1 when a goal is missed.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createClient } from '../client/dist/index.js';
import { COLUMNS_MEDIA_TYPE } from '../contract/dist/index.js';
import { freePort, startPrivate } from './private-process.mjs';

const MAIN = fileURLToPath(new URL('../server/dist/bundle/main.js', import.meta.url));
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const POINTS = 100_000;
const BATCH = 10_000;
const OPENINGS = 12;
const MOVES = 240;
const ZOOM_ROUNDS = 5;
const FRAME_LIMIT_MS = 50;
const RATIO_LIMIT = 1.5;
const HELD_BACK_MS = 60_000;

const organizationId = '018f0000-0000-7000-8000-0000000000cf';
const email = 'bench@example.com';
const password = 'a password of the benchmark';

const valueAt = (at) => 300 + 120 * Math.sin(at / 1e7) + 20 * Math.sin(at / 1.3e5);

async function fill(api, now) {
  const device = await api.createDevice({
    organizationId,
    body: { type: 'CUSTOM_DEVICE', name: 'Generator' },
  });
  const variable = await api.createVariable({
    organizationId,
    deviceId: device.id,
    body: {
      topicPropertyPath: 'power',
      type: 'NUMBER',
      name: 'Real power',
      unit: 'kW',
      isLoggingEnabled: true,
    },
  });
  for (let at = now - YEAR_MS; at < now; at += BATCH * MINUTE_MS) {
    const count = Math.min(BATCH, Math.floor((now - at) / MINUTE_MS));
    const dataArray = Array.from({ length: count }, (_, index) => {
      const timestamp = at + index * MINUTE_MS;
      return { key: 'power', value: valueAt(timestamp), timestamp };
    });
    await api.writeReadings({ organizationId, deviceId: device.id, body: { dataArray } });
  }
  return variable.id;
}

async function signIn(page) {
  await page.goto('/');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account' }).waitFor();
}

/** Opens the page, and returns how long it took until the chart was visible. */
async function open(page, variableId, from, to) {
  await page.evaluate(() => window.history.pushState({}, '', '/devices'));
  await page.locator('.uplot').waitFor({ state: 'detached' });
  return page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const began = performance.now();
        const look = () =>
          document.querySelector('.uplot canvas')
            ? requestAnimationFrame(() => resolve(performance.now() - began))
            : requestAnimationFrame(look);
        window.history.pushState({}, '', address);
        look();
      }),
    `/variables/${variableId}?from=${from}&to=${to}`,
  );
}

/** Runs a gesture, and returns the durations of the frames meanwhile in milliseconds. */
async function framesDuring(page, gesture) {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const note = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.frame_ = requestAnimationFrame(note);
    };
    window.frame_ = requestAnimationFrame(note);
  });
  await gesture();
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(window.frame_);
    return window.frames_;
  });
  return frames.slice(1);
}

/** Drags the chart back and forth. */
async function move(page) {
  const over = await page.locator('.u-over').boundingBox();
  const [x, y] = [over.x + over.width / 2, over.y + over.height / 2];
  await page.keyboard.down('Shift');
  await page.mouse.move(x, y);
  await page.mouse.down();
  const frames = await framesDuring(page, async () => {
    for (let step = 1; step <= MOVES; step += 1) {
      await page.mouse.move(x + Math.sin(step / 12) * over.width * 0.4, y);
    }
  });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  return frames;
}

/** Zooms in and out again, by keys and by dragging over half of the chart. */
async function zoom(page) {
  const chart = page.getByRole('application', { name: /^Chart of/ });
  const over = await page.locator('.u-over').boundingBox();
  const y = over.y + over.height / 2;
  return framesDuring(page, async () => {
    for (let round = 0; round < ZOOM_ROUNDS; round += 1) {
      await chart.focus();
      for (const key of ['+', '+', '+', '-', '-', '-']) {
        const before = page.url();
        await page.keyboard.press(key);
        await page.waitForURL((url) => url.href !== before);
      }
      await page.mouse.move(over.x + over.width / 4, y);
      await page.mouse.down();
      await page.mouse.move(over.x + (over.width * 3) / 4, y, { steps: 10 });
      const before = page.url();
      await page.mouse.up();
      await page.waitForURL((url) => url.href !== before);
      await page.goBack();
    }
  });
}

/** The chart gets every point there is in place of buckets, and nothing new while it is moved. */
async function answerWithPoints(page, variableId, startTime) {
  let asked = 0;
  await page.route('**/devices/variables/readings?**', async (route) => {
    asked += 1;
    if (asked > 1) {
      await new Promise((resolve) => setTimeout(resolve, HELD_BACK_MS).unref());
      return;
    }
    const timestamp = Array.from({ length: POINTS }, (_, index) => startTime + index * MINUTE_MS);
    const mean = timestamp.map(valueAt);
    const columns = {
      ...{ timestamp, count: timestamp.map(() => 1), mean, first: mean, last: mean },
      ...{ min: mean.map((value) => value - 5), max: mean.map((value) => value + 5) },
    };
    const endTime = startTime + POINTS * MINUTE_MS;
    const range = { variableId, startTime, endTime, bucketMs: MINUTE_MS };
    await route.fulfill({
      contentType: COLUMNS_MEDIA_TYPE,
      body: JSON.stringify({ items: [{ ...range, columns }] }),
    });
  });
}

const sorted = (values) => values.toSorted((a, b) => a - b);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(1)} ms`;

function reportFrames(name, frames) {
  const worst = Math.max(...frames);
  const late = frames.filter((each) => each > FRAME_LIMIT_MS).length;
  console.log(
    `${name}: ${frames.length} frames, median ${ms(median(frames))}, ` +
      `99 of 100 within ${ms(sorted(frames)[Math.floor(frames.length * 0.99)])}, worst ${ms(worst)}; ` +
      `${late} over ${FRAME_LIMIT_MS} ms`,
  );
  return late === 0;
}

async function run(page, variableId, now) {
  await signIn(page);
  const startTime = now - POINTS * MINUTE_MS;
  const hours = [];
  const years = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    // Another end each time, so that no response is cached.
    hours.push(await open(page, variableId, now - HOUR_MS - round, now - round));
    years.push(await open(page, variableId, now - YEAR_MS - round, now - round));
  }
  // The first of each also loads the page and its charts.
  const [hour, year] = [hours, years].map((times) => median(times.slice(2)));
  console.log(
    `an hour opens in ${ms(hour)}, a year of ${YEAR_MS / MINUTE_MS} readings in ${ms(year)}`,
  );
  console.log(`a year takes ${(year / hour).toFixed(2)} times as long as an hour`);
  await open(page, variableId, startTime, now);
  const isFluent = reportFrames(`moving ${POINTS} readings`, await move(page));
  await open(page, variableId, startTime + 1, now + 1);
  await answerWithPoints(page, variableId, startTime);
  await open(page, variableId, startTime + 2, now + 2);
  const isStillFluent = reportFrames(`moving ${POINTS} drawn points`, await move(page));
  const isZoomFluent = reportFrames(`zooming ${POINTS} drawn points`, await zoom(page));
  return isFluent && isStillFluent && isZoomFluent && year / hour <= RATIO_LIMIT;
}

const dataDir = mkdtempSync(join(tmpdir(), 'fieldwatch-frames-'));
chmodSync(dataDir, 0o711);
const port = await freePort();
let server;
let browser;
try {
  server = await startPrivate(process.execPath, {
    args: [MAIN],
    env: {
      FIELDWATCH_DATA_DIR: dataDir,
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: String(port),
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_LOG_LEVEL: 'error',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_ADMIN_EMAIL: email,
      FIELDWATCH_ADMIN_PASSWORD: password,
      FIELDWATCH_API_KEY_ID: 'frames-key',
      FIELDWATCH_API_KEY_SECRET: 'frames-secret-of-32-characters-or-more',
    },
    port,
    healthPath: '/readyz',
  });
  const baseURL = `http://127.0.0.1:${port}`;
  const credentials = {
    apiKeyId: 'frames-key',
    apiKeySecret: 'frames-secret-of-32-characters-or-more',
  };
  const api = createClient({ baseUrl: baseURL, credentials });
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const variableId = await fill(api, now);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const page = await browser.newPage({ baseURL, viewport: { width: 1440, height: 900 } });
  console.log(`load ${loadavg()[0].toFixed(1)} at the start`);
  if (!(await run(page, variableId, now))) process.exitCode = 1;
  console.log(`load ${loadavg()[0].toFixed(1)} at the end`);
} finally {
  await browser?.close();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
