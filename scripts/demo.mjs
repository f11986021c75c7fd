// The demo: a server in a data directory of its own that reports that it is a demo, and a process that
// fills it with a fleet and continues to publish.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fromRoot } from './run.mjs';

export async function startDemo(args) {
  const { parseDemoFlags } = await import('../simulator/dist/index.js');
  const { flags, problems } = parseDemoFlags(args);
  if (problems) {
    for (const problem of problems) console.error(problem);
    process.exit(2);
  }
  process.env.FIELDWATCH_DEMO = 'true';
  const { started } = await import('../server/dist/bundle/main.js');
  startFleet(started, flags);
}

/** The process ends when its channel closes: on a signal, and when this process is killed. */
function startFleet({ service, config }, flags) {
  const fleet = fork(fromRoot('scripts/demo-fleet.mjs'));
  fleet.on('error', (error) => console.error(`The demo fleet could not start: ${error.message}`));
  const stop = () => fleet.connected && fleet.disconnect();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  process.once('exit', () => fleet.kill('SIGKILL'));
  const host = ['0.0.0.0', '::'].includes(config.http.host) ? '127.0.0.1' : config.http.host;
  fleet.send({
    flags,
    storyFile: join(config.dataDir, 'story.json'),
    server: {
      url: `http://${host}:${service.port}`,
      mqtt: config.mqtt.url ?? `mqtt${config.mqtt.tls ? 's' : ''}://${host}:${service.mqttPort}`,
      organizationId: service.bootstrap.organizationId,
      email: config.bootstrap.adminEmail,
      password: config.bootstrap.adminPassword,
    },
  });
}
