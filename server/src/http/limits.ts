/** How long and how much clients may take. Nothing waits for ever. */
export interface HttpLimits {
  /** With TLS, before the headers. */
  readonly handshakeTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** The same for a connection on which no credentials were shown. */
  readonly anonymousIdleTimeoutMs: number;
  /** Connections without credentials that wait for a request or its end. */
  readonly maxWaiting: number;
  readonly maxWaitingPerAddress: number;
  /** How long the server reads on for a client that has its last answer and does not close. */
  readonly lingerMs: number;
  readonly maxLagMs: number;
  readonly maxRequestsInFlight: number;
  /** How long somebody may take nothing of an answer that is sent piece by piece. */
  readonly stallMs: number;
  /** How long an orderly stop waits for requests under way. */
  readonly stopTimeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 72_000,
  anonymousIdleTimeoutMs: 30_000,
  maxWaiting: 1_024,
  maxWaitingPerAddress: 256,
  lingerMs: 2_000,
  maxLagMs: 1_000,
  maxRequestsInFlight: 2_000,
  stallMs: 60_000,
  stopTimeoutMs: 10_000,
};
