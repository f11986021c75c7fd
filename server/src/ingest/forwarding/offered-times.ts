/** Devices whose last time is remembered; those of earlier milliseconds are of no use. */
const MAX_DEVICES = 10_000;

/** The times of messages that this node forwards. Those of one Device ascend. */
export class OfferedTimes {
  readonly #last = new Map<string, number>();

  next(deviceId: string, receivedAt: number): number {
    const last = this.#last.get(deviceId);
    const at = last === undefined ? receivedAt : Math.max(receivedAt, last + 1);
    if (last === undefined && this.#last.size >= MAX_DEVICES) this.#removeBefore(receivedAt);
    this.#last.set(deviceId, at);
    return at;
  }

  #removeBefore(now: number): void {
    for (const [deviceId, at] of this.#last) if (at < now) this.#last.delete(deviceId);
    if (this.#last.size >= MAX_DEVICES) this.#last.clear();
  }
}
