import { parentPort } from 'node:worker_threads';
import { Engine } from './engine.ts';
import { type CodecCall, READY } from './messages.ts';

const engine = new Engine();
// Here rather than in the first call, whose time is limited.
await engine.start();

parentPort?.on('message', async (call: CodecCall) => {
  parentPort?.postMessage(await engine.run(call));
});

parentPort?.postMessage(READY);
