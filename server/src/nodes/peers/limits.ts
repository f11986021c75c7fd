const MEBIBYTE = 1024 * 1024;

export interface PeerLimits {
  /** Of a call and of its answer. */
  readonly maxBodyBytes: number;
  /** Calls to one node that are sent and not answered; the others wait. */
  readonly maxConcurrentCalls: number;
  /** Bodies of the calls to one node that are sent and not answered. */
  readonly maxBytesInFlight: number;
  readonly maxWaitingCalls: number;
  readonly maxWaitingBytes: number;
  /** Calls of all other nodes that are being received or handled here. */
  readonly maxServedCalls: number;
  readonly maxServedBytes: number;
  /** Connections that have not proved yet that they have the key. */
  readonly maxPendingHandshakes: number;
  readonly handshakeTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** A connection with calls on it that carries nothing for twice this time is given up. */
  readonly pingIntervalMs: number;
  /** How long the body of a call or of an answer may make no progress. */
  readonly stallTimeoutMs: number;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** How long calls that are being handled have to end when this node stops. */
  readonly stopTimeoutMs: number;
}

export const PEER_LIMITS: PeerLimits = {
  maxBodyBytes: 16 * MEBIBYTE,
  maxConcurrentCalls: 64,
  maxBytesInFlight: 32 * MEBIBYTE,
  maxWaitingCalls: 1_024,
  maxWaitingBytes: 64 * MEBIBYTE,
  maxServedCalls: 1_024,
  maxServedBytes: 128 * MEBIBYTE,
  maxPendingHandshakes: 64,
  handshakeTimeoutMs: 5_000,
  connectTimeoutMs: 3_000,
  pingIntervalMs: 1_500,
  stallTimeoutMs: 10_000,
  minBackoffMs: 50,
  maxBackoffMs: 1_000,
  stopTimeoutMs: 2_000,
};
