import { parentPort } from 'node:worker_threads';
import { SliceReader } from '../slices/index.ts';
import type { Consumer, ConsumerModule } from './consumer.ts';
import type { Answer, Order } from './messages.ts';

interface Job {
  readonly consumer: Consumer<unknown>;
  readonly reader: SliceReader;
}

/** Jobs are registered before they begin, so that a drop in between removes them. */
const jobs = new Map<number, Promise<Job>>();

async function begin({ consumer, series }: Extract<Order, { kind: 'begin' }>): Promise<Job> {
  const { createConsumer } = (await import(consumer.module)) as ConsumerModule;
  const kinds = series.map(({ kind }) => kind);
  return {
    consumer: createConsumer(consumer.plan, kinds),
    reader: new SliceReader(series),
  };
}

function jobOf(order: Exclude<Order, { kind: 'drop' }>): Promise<Job> {
  const job = order.kind === 'begin' ? begin(order) : jobs.get(order.job);
  if (!job) throw new Error('the job was not begun');
  jobs.set(order.job, job);
  return job;
}

async function work(order: Exclude<Order, { kind: 'drop' }>): Promise<unknown> {
  const { consumer, reader } = await jobOf(order);
  if (order.kind === 'begin') return consumer.begin();
  if (order.kind === 'add') return consumer.add(reader.read(order.batch));
  jobs.delete(order.job);
  return consumer.end();
}

parentPort?.on('message', async (order: Order) => {
  if (order.kind === 'drop') jobs.delete(order.job);
  else parentPort?.postMessage(await answerTo(order));
});

async function answerTo(order: Exclude<Order, { kind: 'drop' }>): Promise<Answer> {
  try {
    return { job: order.job, result: await work(order) };
  } catch (error) {
    jobs.delete(order.job);
    return { job: order.job, failure: error instanceof Error ? error.message : String(error) };
  }
}
