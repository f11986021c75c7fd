import { ProbeFailure, probeNetwork } from '../../lorawan/index.ts';
import {
  createKeyring,
  createOutbound,
  isUuid,
  OutboundError,
  parseAllowed,
} from '../../runtime/index.ts';
import { claimSecret } from '../../storage/index.ts';
import { type Command, CommandFailure, EXIT, type Input, wrongUsage } from '../command/index.ts';
import { withInstallation } from './open.ts';
import { readSettings } from './settings.ts';

const DEFAULT_SECONDS = 60;

function secondsOf(input: Input): number {
  const text = input.value('--seconds') ?? `${DEFAULT_SECONDS}`;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw wrongUsage('--seconds must be a number from 1 to 9999.');
  return Number(text);
}

export const runLorawanProbe: Command['run'] = async (input, terminal) => {
  const networkId = input.value('--network') ?? '';
  if (!isUuid(networkId)) throw wrongUsage('--network must be the id of a LoRaWAN network.');
  const listenMs = secondsOf(input) * 1_000;
  const config = readSettings(terminal);
  const outbound = createOutbound({ allowed: parseAllowed(config.notify.outboundAllow) });
  const counts = await withInstallation(terminal, async ({ storage, clock }) => {
    const keyring = createKeyring(await claimSecret(storage, config));
    const say = terminal.isJson ? () => undefined : (line: string) => terminal.print(line);
    const signal = AbortSignal.any([terminal.signal(), terminal.outputClosed]);
    return await probeNetwork({
      ...{ storage, clock, keyring, outbound, networkId, listenMs, say, signal },
    });
  }).catch((error: unknown) => {
    if (!(error instanceof ProbeFailure || error instanceof OutboundError)) throw error;
    throw new CommandFailure(error.message);
  });
  const lines = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  terminal.answer(counts, [lines.length === 0 ? 'No message arrived.' : `${lines.join(', ')}.`]);
  return EXIT.OK;
};
