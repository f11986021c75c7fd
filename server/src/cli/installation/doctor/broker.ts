import { connectAsync } from 'mqtt';
import { connectReason } from '../../../runtime/index.ts';
import type { BrokerFacts } from './facts.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** MQTT 3.1.1, which every broker accepts. */
const PROTOCOL_VERSION = 4;

/** Connects for a moment, with a session that the broker does not keep. */
export async function examineBroker(url: string): Promise<BrokerFacts> {
  const address = url.replace(/\/\/[^@/]*@/, '//');
  try {
    const client = await connectAsync(
      url,
      {
        protocolVersion: PROTOCOL_VERSION,
        reconnectPeriod: 0,
        connectTimeout: CONNECT_TIMEOUT_MS,
      },
      false,
    );
    await client.endAsync();
    return { address, problem: null };
  } catch (error) {
    return { address, problem: connectReason(error) };
  }
}
