/** Limits on time and number for clients: no wait is unbounded. */
export interface HttpLimits {
  /** With TLS, before the headers. */
  readonly handshakeTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /**
   * The address and the names and values of headers. A list with each of its filters at its maximum
   * takes 36 000 bytes.
   */
  readonly maxHeaderBytes: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** The same for a connection on which no credentials were shown. */
  readonly anonymousIdleTimeoutMs: number;
  /** Connections without credentials that wait for a request or its end. */
  readonly maxWaiting: number;
  readonly maxWaitingPerAddress: number;
  /** How long the server reads and drops input of a client that has its last response. */
  readonly lingerMs: number;
  readonly maxLagMs: number;
  readonly maxRequestsInFlight: number;
  /** How long a client may read nothing of a streamed response before it is ended. */
  readonly stallMs: number;
  /** How long a graceful stop waits for requests in flight: container engines kill after 10 s in all. */
  readonly stopTimeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  maxHeaderBytes: 48 * 1024,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 72_000,
  anonymousIdleTimeoutMs: 30_000,
  maxWaiting: 1_024,
  maxWaitingPerAddress: 256,
  lingerMs: 2_000,
  maxLagMs: 1_000,
  maxRequestsInFlight: 2_000,
  stallMs: 60_000,
  stopTimeoutMs: 5_000,
};
