/** Two short tones, made here: there is no file to fetch. Of several open pages one plays them. */

const TONES = [
  { frequency: 660, at: 0 },
  { frequency: 880, at: 0.12 },
] as const;
const TONE_SECONDS = 0.18;
const LOUDNESS = 0.08;
/** While one page plays, the others find the lock taken; given back before the page itself tells of the next fills. */
const HELD_MS = 800;
const MAXIMUM_KNOWN = 1000;

let context: AudioContext | undefined;

export async function playFillSound(): Promise<void> {
  context ??= new AudioContext();
  await context.resume();
  const start = context.currentTime;
  for (const { frequency, at } of TONES) {
    const oscillator = new OscillatorNode(context, { frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(LOUDNESS, start + at);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + at + TONE_SECONDS);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start + at);
    oscillator.stop(start + at + TONE_SECONDS);
  }
}

export interface SoundDeps {
  readonly play: () => Promise<void>;
  /** Says to the other pages of this browser what was played; absent where there is no way to. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | undefined;
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** A page without a click or a key so far may not play; another one can. */
  readonly mayPlay: () => boolean;
}

/**
 * Plays once for each order, whichever pages hear of it and when: a hidden page hears late, because its timers rest.
 * @returns a function that takes the orders that were filled
 */
export function createFillSound({ play, channel, locks, mayPlay }: SoundDeps): (orders: readonly string[]) => void {
  const played = new Set<string>();
  const remember = (orders: readonly string[]) => {
    for (const order of orders) played.add(order);
    for (const order of played) {
      if (played.size <= MAXIMUM_KNOWN) break;
      played.delete(order);
    }
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => remember(data));

  async function playHere(orders: readonly string[]): Promise<void> {
    remember(orders);
    channel?.postMessage(orders);
    await play();
  }

  return (orders) => {
    if (!mayPlay() || orders.every((order) => played.has(order))) return;
    if (locks === undefined) {
      void playHere(orders).catch(() => undefined);
      return;
    }
    void locks
      .request('cambist.fill-sound', { ifAvailable: true }, async (lock) => {
        if (lock === null) return;
        await playHere(orders);
        await new Promise((resolve) => setTimeout(resolve, HELD_MS));
      })
      // A device without sound is no failure of the order.
      .catch(() => undefined);
  };
}

/** Of this page. Locks are there on secure pages only. */
export const fillSound = (): ((orders: readonly string[]) => void) =>
  createFillSound({
    play: playFillSound,
    channel: 'BroadcastChannel' in globalThis ? new BroadcastChannel('cambist.fills') : undefined,
    locks: navigator.locks as LockManager | undefined,
    mayPlay: () => navigator.userActivation?.hasBeenActive !== false,
  });
