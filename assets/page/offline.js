'use strict';
// Keeps the page's files, so that it also opens without a network. A new edition is another `edition`: it is fetched whole beside
// the old one, and shown from the next visit on.
const edition = '@EDITION@';
const files = ['./', 'index.html', 'page.js', 'slotscape.js', 'slotscape.wasm', 'slotscape.data'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(edition).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))));
});
self.addEventListener('activate', (event) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name.startsWith('slotscape-') && name !== edition) await caches.delete(name);
  };
  event.waitUntil(others().then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const kept = async () => {
    const found = await (await caches.open(edition)).match(event.request, { ignoreSearch: true });
    return found ?? fetch(event.request);
  };
  if (event.request.method === 'GET') event.respondWith(kept());
});
