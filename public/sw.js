// Ends offline use: removes the caches of a build and its service worker, and opens its documents anew. In a built page
// `cargo xtask dist` puts app/offline.js in its place; a host serves this file to take offline use back.
const PREFIX = `ridgepoint ${registration.scope} `;

const end = async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX)) await caches.delete(name);
  }
  const open = await clients.matchAll({ type: "window" });
  await registration.unregister();
  for (const client of open) client.navigate(client.url);
};

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(end()));
