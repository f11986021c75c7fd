/** One uplink, as a codec gets it. */
export interface CodecInput {
  readonly bytes: readonly number[];
  readonly fPort: number;
  /** ISO 8601. The codec sees a `Date`. */
  readonly recvTime: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a thread is asked: to decode an uplink, or, without one, to check the script. */
export interface CodecCall {
  readonly script: string;
  readonly input: CodecInput | null;
}

/** What a thread answers. */
export interface CodecAnswer {
  /** JSON of what the codec returned; null when it failed, or was only checked. */
  readonly output: string | null;
  /** Why the codec failed; null when it did not. */
  readonly error: string | null;
  readonly console: readonly string[];
  readonly durationMs: number;
}

/** The first message of a thread, once it can take calls. */
export const READY = 'ready';
