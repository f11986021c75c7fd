// The service worker of the installed console. It keeps the shell only, so that the console opens
// without a connection and says so: never a reply of the API, which would be out of date unseen.
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
