import { Worker, type WorkerOptions } from 'node:worker_threads';
import { isSource } from './module-beside.ts';

/**
 * Starts a thread that runs a module, and does not keep the process alive. Where the module is source,
 * as in tests, the thread reads it through `tsx`.
 */
export function startThread(module: string, options: WorkerOptions = {}): Worker {
  const load = `import('tsx/esm/api').then((tsx) => tsx.tsImport('${module}', '${module}'))`;
  const worker = isSource(module)
    ? new Worker(load, { ...options, eval: true })
    : new Worker(new URL(module), options);
  worker.unref();
  return worker;
}
