// `npm run simulate`: installs and builds when needed, then publishes a fleet to a running server.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
const { simulate } = await import('../simulator/dist/index.js');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());

process.exitCode = await simulate({
  args: process.argv.slice(2),
  defaults: {
    organizationId: process.env.FIELDWATCH_ORGANIZATION_ID,
    apiKeyId: process.env.FIELDWATCH_API_KEY_ID,
    apiKeySecret: process.env.FIELDWATCH_API_KEY_SECRET,
  },
  now: Date.now,
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
  signal: stop.signal,
});
