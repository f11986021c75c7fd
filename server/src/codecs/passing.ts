import { isDeepStrictEqual } from 'node:util';
import type { Codec } from '@fieldwatch/contract';
import { invalid, isoDateTime } from '../runtime/index.ts';
import type { CodecOwner, Sandbox } from './sandbox/index.ts';

/** The time of all tests, so that one that depends on it passes or fails always. */
const TEST_TIME = isoDateTime(Date.UTC(2026, 0, 1));
const MAX_SHOWN_LENGTH = 300;

/** Refuses a script that is none of a codec, or whose tests do not pass. */
export async function requirePassing(
  sandbox: Sandbox,
  owner: CodecOwner,
  { script, tests }: Pick<Codec, 'script' | 'tests'>,
): Promise<void> {
  const problem = await sandbox.check(owner, script);
  if (problem !== null) throw invalid({ path: 'script', message: `cannot be used: ${problem}` });
  const results = await Promise.all(
    tests.map(({ bytesHex, fPort }) =>
      sandbox.decode(owner, script, {
        bytes: [...Buffer.from(bytesHex, 'hex')],
        ...{ fPort, recvTime: TEST_TIME, variables: {} },
      }),
    ),
  );
  const errors = results.flatMap(({ data, errors: [error] }, index) => {
    if (error === undefined && isDeepStrictEqual(data, tests[index]?.expected)) return [];
    const got = error ?? JSON.stringify(data).slice(0, MAX_SHOWN_LENGTH);
    return [{ path: `tests[${index}].expected`, message: `differs from what is decoded: ${got}` }];
  });
  if (errors.length > 0) throw invalid(...errors);
}
