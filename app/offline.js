// The service worker: answers for the page and the guide from the files of one build, with or without a network.
//
// `cargo xtask dist` writes two constants before this text: BUILD names the build, FILES has the path of each of its
// files with a digest of it. A build has a cache. The newest build answers every new document; a document gets all
// else from its own build, whose cache lasts as long as one of its documents is open.
const FOLDER = registration.scope;
const PREFIX = `ridgepoint ${FOLDER} `;
const NEWEST = PREFIX + BUILD;
// Which build each open document and worker is of.
const OPEN = `${PREFIX}open`;

const builds = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OPEN);

const entry = (id) => `${FOLDER}open/${id}`;

const remember = async (id, build) => (await caches.open(OPEN)).put(entry(id), new Response(build));

const buildOf = async (id) => (await caches.match(entry(id), { cacheName: OPEN }))?.text();

// The file of an address; hosts may omit index.html and .html.
const file = (url) => {
  const path = url.split(/[?#]/)[0];
  if (!path.startsWith(FOLDER)) return undefined;
  const name = path.slice(FOLDER.length) + (path.endsWith("/") ? "index.html" : "");
  return [name, `${name}.html`].find((name) => Object.hasOwn(FILES, name));
};

// Fetches every file of this build that is not here yet: all of them, or the build is not installed.
const install = async () => {
  const cache = await caches.open(NEWEST);
  const get = async ([name, integrity]) => {
    if (await cache.match(FOLDER + name)) return;
    // Hosts redirect index.html to its folder.
    const from = FOLDER + name.replace(/(^|\/)index\.html$/, "$1");
    const hashed = /-[\da-f]{12,16}[._]/.test(name);
    const answer = await fetch(from, { integrity, cache: hashed ? "default" : "no-cache", priority: "low" });
    if (!answer.ok) throw new Error(`${answer.status} for ${from}`);
    // A document may not get an answer that was redirected.
    await cache.put(FOLDER + name, answer.redirected ? new Response(answer.body, answer) : answer);
  };
  await Promise.all(Object.entries(FILES).map(get));
  await skipWaiting();
};

// Removes the builds of which nothing is open, but for the document that is about to open.
const clean = async (opening) => {
  const all = await builds();
  // The next build is being fetched, and will clean up.
  if (registration.installing || registration.waiting) return;
  const used = new Set([NEWEST]);
  const open = await caches.open(OPEN);
  for (const { url } of await open.keys()) {
    const id = url.slice(entry("").length);
    if (id === opening || (await clients.get(id))) used.add(await buildOf(id));
    else await open.delete(url);
  }
  for (const build of all) if (!used.has(build)) await caches.delete(build);
};

const activate = async () => {
  await clients.claim();
  // Documents that were open before there was a service worker.
  for (const { id } of await clients.matchAll({ type: "all" })) {
    if (!(await buildOf(id))) await remember(id, NEWEST);
  }
  await clean();
};

const answer = async ({ request, clientId, resultingClientId }, address) => {
  const own = request.mode === "navigate" ? NEWEST : await buildOf(clientId);
  if (own && resultingClientId) await remember(resultingClientId, own);
  for (const build of own ? [own] : (await builds()).reverse()) {
    const found = await caches.match(address, { cacheName: build, ignoreVary: true });
    if (found) return found;
  }
  return fetch(request);
};

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { method, mode, url, cache } = event.request;
  const navigates = mode === "navigate";
  // "no-store" asks for what the host has.
  if (method !== "GET" || cache === "no-store" || !url.startsWith(FOLDER)) return;
  const own = file(url);
  // Other pages below this folder are the host's.
  if (!own && navigates) return;
  event.respondWith(answer(event, own ? FOLDER + own : url.split(/[?#]/)[0]));
  if (navigates) event.waitUntil(clean(event.resultingClientId));
});
