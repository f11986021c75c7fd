import { compose } from '../../dist/bundle/compose.js';
import { readConfig } from '../../dist/bundle/config.js';
import { createLog } from '../../dist/bundle/runtime.js';

/** The server as it is built, in a process that ends itself at the failpoint that it is given. */
const result = readConfig(process.env);
if ('problems' in result) throw new Error(result.problems.join('\n'));

let armed = '';
let aheadMs = Number(process.argv[2] ?? 0);
const service = await compose(result.config, {
  clock: { now: () => Date.now() + aheadMs, elapsed: () => performance.now() + aheadMs },
  log: createLog('silent'),
  onProgress: () => undefined,
  // Its tests send nothing over MQTT, and to start the thread takes a tenth of the processor time.
  hasMqttThread: false,
  failpoint(name) {
    if (name === armed) process.kill(process.pid, 'SIGKILL');
  },
});

process.on('message', (message) => {
  if (typeof message === 'number') aheadMs += message;
  else armed = String(message);
  process.send?.({ armed });
});
process.send?.({ url: `http://127.0.0.1:${service.port}` });
