import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Failure, invalid } from '../runtime/index.ts';
import { closeLingering, isLingering } from './linger.ts';
import { problemHeaders, problemOf } from './problem.ts';

const FAILURES: Readonly<Record<string, () => Failure>> = {
  HPE_HEADER_OVERFLOW: () => new Failure('HEADERS_TOO_LARGE', 'The request headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new Failure('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};

/** Answers input that is not valid HTTP on the bare socket, and closes that connection only. */
export function answerBrokenRequests(newRequestId: () => string, lingerMs: number) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // The response to the first invalid input is on its way; what follows is dropped.
    if (isLingering(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const failure =
      FAILURES[error.code ?? '']?.() ?? invalid({ path: 'request', message: 'is not valid HTTP' });
    const requestId = newRequestId();
    const body = JSON.stringify(problemOf(failure, requestId));
    const headers = {
      ...problemHeaders(failure),
      'x-request-id': requestId,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const status = `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`;
    closeLingering(socket, lingerMs, [status, ...lines, '', body].join('\r\n'));
  };
}
