// The service worker of the installed console. It keeps the shell only, so that the console opens
// without a connection and says so: never a reply of the API, which would be out of date unseen. It
// also shows notifications while the console is closed.
const CACHE = 'fieldwatch-shell-1';
const SHELL = ['/', '/theme.js', '/icon.svg'];
/** The scripts and styles of about two versions. */
const MAX_FILES = 150;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOtherCaches().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/static/')) event.respondWith(fromCacheFirst(request));
  else if (request.mode === 'navigate') event.respondWith(page(request, pathname));
  else if (SHELL.includes(pathname) && pathname !== '/') event.respondWith(fromCacheFirst(request));
});

// The server encrypts what a notification says; a click opens the page of the event.
self.addEventListener('push', (event) => {
  const text = event.data?.json();
  if (!text) return;
  const isNew = text.type === 'alarm.raised' || text.type === 'alarm.digest';
  event.waitUntil(
    self.registration.showNotification(text.title, {
      body: text.body,
      // The end of an event replaces its beginning, silently.
      tag: text.tag,
      renotify: isNew,
      silent: !isNew,
      icon: '/icon-192.png',
      data: { path: text.path },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path ?? '/alarms'));
});

/** In a window of the console that is open, or in a new one. */
async function openPage(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const [open] = await self.clients.matchAll({ type: 'window' });
  if (!open) {
    await self.clients.openWindow(url.href);
    return;
  }
  await open.focus().catch(() => undefined);
  await open.navigate(url.href);
}

async function deleteOtherCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** Files whose names contain a hash of their content never change. */
async function fromCacheFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.ok) {
    await cache.put(request, reply.clone());
    const keys = await cache.keys();
    const surplus = keys.filter(({ url }) => url.includes('/static/')).slice(0, -MAX_FILES);
    await Promise.all(surplus.map((key) => cache.delete(key)));
  }
  return reply;
}

/** The server's own page; without a connection the shell, which has every page of the console. */
async function page(request, pathname) {
  try {
    const reply = await fetch(request);
    if (reply.ok && pathname === '/') {
      await (await caches.open(CACHE)).put('/', reply.clone());
    }
    return reply;
  } catch (error) {
    const kept = await caches.match('/');
    if (kept) return kept;
    throw error;
  }
}
