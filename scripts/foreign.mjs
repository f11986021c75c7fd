// `npm run foreign -- paho <checkout>`: runs an independent test suite against the server's MQTT
// broker. Needs Python 3 and a checkout of https://github.com/eclipse/paho.mqtt.testing.
import './node-version.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [suite, checkout] = process.argv.slice(2);
const folder = resolve(checkout ?? '', 'interoperability');

if (suite !== 'paho' || !existsSync(join(folder, 'client_test5.py'))) {
  console.error('usage: npm run foreign -- paho <checkout of eclipse/paho.mqtt.testing>');
  process.exit(2);
}

const broker = spawn(process.execPath, ['--import', 'tsx', 'server/test/foreign/open-broker.ts'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(broker.stdout, 'data');
const port = /port (\d+)/.exec(String(line))?.[1];

/**
 * This test sends one QoS 2 message more than the broker's Receive Maximum. With the default of 65 535
 * there is no identifier left for that message, and the test never ends.
 */
const LEFT_OUT = 'test_flow_control2';

/** The tests read the address of the broker and their topics from variables of their module. */
const program = (module) => `
import unittest
import ${module} as suite
suite.host, suite.port = "127.0.0.1", ${port}
suite.topics = ("TopicA", "TopicA/B", "Topic/C", "TopicA/C", "/TopicA")
suite.wildtopics = ("TopicA/+", "+/C", "#", "/#", "/+", "+/+", "TopicA/#")
suite.topic_prefix = ""
suite.nosubscribe_topics = ("test/nosubscribe",)
if hasattr(suite.Test, "${LEFT_OUT}"): del suite.Test.${LEFT_OUT}
unittest.main(module=suite, argv=["${module}", "-v"])
`;

const failed = ['client_test', 'client_test5'].filter((module) => {
  console.log(`\n${module}`);
  const options = { cwd: folder, stdio: 'inherit' };
  return spawnSync('python3', ['-c', program(module)], options).status !== 0;
});
broker.kill();
await once(broker, 'close');
process.exitCode = failed.length === 0 ? 0 : 1;
