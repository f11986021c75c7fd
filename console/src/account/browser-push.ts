/** Why this browser cannot receive notifications by web push; null where it can. */
export type PushObstacle = 'insecure' | 'homeScreen' | 'unsupported' | 'denied';

interface Environment {
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  readonly userAgent: string;
  readonly permission: NotificationPermission | null;
}

const IOS = /\b(?:iPhone|iPad|iPod)\b/;

/** The first thing that stands in the way, in the order in which a user can change it. */
export function obstacleOf(found: Environment): PushObstacle | null {
  if (!found.isSecure) return 'insecure';
  // On iOS only an app on the home screen has web push.
  if (!found.hasPush) return IOS.test(found.userAgent) ? 'homeScreen' : 'unsupported';
  return found.permission === 'denied' ? 'denied' : null;
}

export function currentObstacle(): PushObstacle | null {
  return obstacleOf({
    isSecure: window.isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    userAgent: navigator.userAgent,
    permission: 'Notification' in window ? Notification.permission : null,
  });
}

/** The address of this browser at its push service, while it has a subscription. */
export async function currentEndpoint(): Promise<string | null> {
  if (currentObstacle() !== null) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** What the server needs to send messages to this browser. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Asks the user, and subscribes this browser with the key of the server. */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const made = await pushManager.subscribe(options).catch(async (error) => {
    // A subscription with the key of another installation at this address stands in the way.
    const known = await pushManager.getSubscription();
    if (!known) throw error;
    await known.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = made.toJSON();
  return { endpoint: endpoint ?? made.endpoint, keys: { p256dh, auth } };
}

export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
