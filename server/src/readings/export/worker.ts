import { parentPort } from 'node:worker_threads';
import { PartReader } from '../parts.ts';
import { CsvTable } from './csv-table.ts';
import type { Made, Order } from './messages.ts';
import { ParquetTable } from './parquet-table.ts';
import type { TableWriter } from './table.ts';

interface Job {
  readonly table: TableWriter;
  readonly reader: PartReader;
}

const jobs = new Map<number, Job>();

function begin({ plan, subjects }: Extract<Order, { kind: 'begin' }>): Job {
  const kinds = subjects.map(({ kind }) => kind);
  const table = plan.format === 'csv' ? new CsvTable(plan) : new ParquetTable(plan, kinds);
  return { table, reader: new PartReader(subjects) };
}

function jobOf(number: number): Job {
  const job = jobs.get(number);
  if (!job) throw new Error('the export was not begun');
  return job;
}

function work(order: Exclude<Order, { kind: 'drop' }>): Uint8Array {
  if (order.kind === 'begin') {
    const job = begin(order);
    jobs.set(order.job, job);
    return job.table.begin();
  }
  const { table, reader } = jobOf(order.job);
  if (order.kind === 'add') return table.add(reader.read(order.batch));
  jobs.delete(order.job);
  return table.end();
}

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'drop') {
    jobs.delete(order.job);
    return;
  }
  parentPort?.postMessage(made(order));
});

function made(order: Exclude<Order, { kind: 'drop' }>): Made {
  try {
    return { job: order.job, bytes: work(order) };
  } catch (error) {
    jobs.delete(order.job);
    return { job: order.job, failure: error instanceof Error ? error.message : String(error) };
  }
}
