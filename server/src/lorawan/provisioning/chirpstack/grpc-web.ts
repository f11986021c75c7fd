import { ProvisioningError, type RegistrarDeps } from '../registrar.ts';

/** The status codes of gRPC that are told apart here. */
export const GRPC = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
  UNAUTHENTICATED: 16,
} as const;

export interface GrpcAnswer {
  readonly code: number;
  readonly text: string;
  readonly message: Buffer;
}

const HEADER_BYTES = 5;
const TRAILER_FLAG = 0x80;

/** A message with the flag and the length before it. */
function grpcFrame(message: Buffer, flag = 0): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Calls a method over gRPC-web, which ChirpStack speaks at the port of its console. */
export async function callGrpc(
  { outbound, signal, url, token }: Pick<RegistrarDeps, 'outbound' | 'signal' | 'url' | 'token'>,
  method: string,
  message: Buffer,
): Promise<GrpcAnswer> {
  const { status, bytes, headers } = await outbound.request(new URL(method, url).href, {
    method: 'POST',
    headers: {
      'content-type': 'application/grpc-web+proto',
      accept: 'application/grpc-web+proto',
      'x-grpc-web': '1',
      authorization: `Bearer ${token}`,
    },
    body: grpcFrame(message),
    signal,
  });
  const answer = readFrames(bytes);
  // A call that fails at once has its status in the headers, and no body.
  const code = answer.trailers.get('grpc-status') ?? headers['grpc-status'];
  const text = answer.trailers.get('grpc-message') ?? headers['grpc-message'];
  if (code === undefined) throw noGrpc(status);
  return { code: Number(code), text: decoded(String(text ?? '')), message: answer.message };
}

function readFrames(bytes: Buffer) {
  let message: Buffer = Buffer.alloc(0);
  const trailers = new Map<string, string>();
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const end = at + HEADER_BYTES + bytes.readUInt32BE(at + 1);
    const content = bytes.subarray(at + HEADER_BYTES, end);
    if (((bytes[at] ?? 0) & TRAILER_FLAG) === 0) message = content;
    else for (const [name, value] of linesOf(content)) trailers.set(name, value);
    at = end;
  }
  return { message, trailers };
}

function linesOf(trailers: Buffer): [string, string][] {
  return trailers
    .toString()
    .split(/\r?\n/)
    .filter((line) => line.includes(':'))
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    });
}

/** The text of a status has its special characters as percents. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Something before ChirpStack may be unavailable for a while; a page is not. */
function noGrpc(status: number): ProvisioningError {
  if (status >= 500 || status === 429) {
    return new ProvisioningError(`The network server answered ${status}.`, false);
  }
  const advice = 'the url of the API is that of the console of ChirpStack, without a path.';
  return new ProvisioningError(`No answer of gRPC-web, but the status ${status}: ${advice}`, true);
}
