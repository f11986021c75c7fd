/** Two short tones at a moderate volume. */
const TONES = [
  { hertz: 880, atSeconds: 0 },
  { hertz: 660, atSeconds: 0.18 },
] as const;
const TONE_SECONDS = 0.16;
const VOLUME = 0.2;

let context: AudioContext | undefined;

/** Plays the sound of an alarm. A browser plays nothing before the first click in the page. */
export async function playAlarmSound(): Promise<void> {
  context ??= new AudioContext();
  await context.resume();
  const { currentTime, destination } = context;
  for (const { hertz, atSeconds } of TONES) {
    const start = currentTime + atSeconds;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(gain).connect(destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
