import { operations } from '@fieldwatch/contract';
import { beforeAll, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

let server: TestOrganization;
const bench = eventBench(() => server);

beforeAll(async () => {
  server = await joinServer();
});

it('an event that is read while notes are written has the revision of the notes that it shows', async () => {
  const { point, alarm } = await bench.newWatched();
  await bench.report(point, 60);
  const eventId = (await bench.eventsOf(alarm.id))[0]?.id ?? '';
  const note = (text: string) =>
    server.call(operations.createAlarmEventNote, {
      auth: server.administrator,
      params: { eventId },
      body: { text },
    });
  const read = async () => {
    const answer = await server.call(operations.retrieveAlarmEvent, { params: { eventId } });
    const [revision] = (answer.headers.get('etag') ?? '').slice(1).split('-');
    return { revision: Number(revision), notes: answer.body.notes.length };
  };
  const first = await read();
  let isOver = false;
  const written = Promise.all(
    Array.from({ length: 60 }, (_, index) => note(`Note ${index}`)),
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const { revision, notes } of await Promise.all([read(), read(), read(), read()])) {
      expect(revision - first.revision).toBe(notes);
    }
  }
  expect((await written).map(({ status }) => status)).toEqual(Array(60).fill(201));
});
