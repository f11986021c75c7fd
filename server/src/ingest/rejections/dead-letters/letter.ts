/** A message that can never be stored, and why. */
export interface DeadLetter {
  readonly deviceId: string;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly reason: string;
  readonly failedAt: number;
}

export const MAX_LETTERS_PER_DEVICE = 100;
/** The maximum of one organization. */
export const MAX_LETTERS = 1_000;
export const LETTER_LIFETIME_MS = 30 * 24 * 3_600_000;
