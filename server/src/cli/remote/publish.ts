import { connectAsync } from 'mqtt';
import { type Command, CommandFailure, counted, EXIT, wrongUsage } from '../command/index.ts';
import { connect, explained } from './connection.ts';

type Value = string | number | boolean;

const MQTT_LIMIT_MS = 10_000;

/** `path=value`: numbers and true or false are what they look like, everything else is text. */
function parseReading(text: string): { key: string; value: Value } {
  const equals = text.indexOf('=');
  if (equals < 1) throw wrongUsage(`A reading is path=value, not ${text}.`);
  const [key, written] = [text.slice(0, equals), text.slice(equals + 1)];
  if (written === 'true' || written === 'false') return { key, value: written === 'true' };
  const isNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(written);
  return { key, value: isNumber ? Number(written) : written };
}

function parseTime(text: string): number {
  const epochMs = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(epochMs)) {
    throw wrongUsage(`The time must be ISO 8601 or epoch milliseconds, not ${text}.`);
  }
  return epochMs;
}

interface Message {
  readonly url: string;
  readonly topic: string;
  readonly payload: object;
}

/** Resolves once the broker has acknowledged the message. */
async function publishByMqtt({ url, topic, payload }: Message): Promise<void> {
  const shown = url.replace(/\/\/[^@/]*@/, '//');
  try {
    const client = await connectAsync(url, {
      protocolVersion: 5,
      reconnectPeriod: 0,
      connectTimeout: MQTT_LIMIT_MS,
    });
    try {
      await client.publishAsync(topic, JSON.stringify(payload), { qos: 1 });
    } finally {
      await client.endAsync(true);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${shown} did not accept the message: ${reason}`);
  }
}

export const runPublish: Command['run'] = async (input, terminal) => {
  const [deviceId = '', ...texts] = input.args;
  const time = input.value('--time');
  const payload = {
    ...(time === undefined ? {} : { timestamp: parseTime(time) }),
    dataArray: texts.map(parseReading),
  };
  const mqttUrl = input.value('--mqtt');
  if (mqttUrl !== undefined) {
    const organizationId =
      input.value('--organization') ?? terminal.environment.FIELDWATCH_ORGANIZATION_ID;
    if (!organizationId) throw wrongUsage('Name the organization with --organization.');
    const topic = `fieldwatch/${organizationId}/${deviceId}`;
    await publishByMqtt({ url: mqttUrl, topic, payload });
    terminal.answer({ acknowledged: texts.length }, [`The broker acknowledged ${topic}.`]);
    return EXIT.OK;
  }
  const connection = connect(input, terminal);
  const { client, organizationId } = connection;
  const receipt = await explained(connection, () =>
    client.writeReadings({ organizationId, deviceId, body: payload }),
  );
  const { accepted, stored, rejected } = receipt;
  terminal.answer(receipt, [
    `Accepted ${counted(accepted, 'reading')}, ${stored} of them as history.`,
  ]);
  for (const { key, reason } of rejected) terminal.printError(`${key} was rejected: ${reason}.`);
  return rejected.length > 0 ? EXIT.INCOMPLETE : EXIT.OK;
};
