'use strict';
// The page around the program: starts it, calls for frames, and gives it files, touches and what the browser keeps.
// #s=… in the address is a set-up that somebody shared (app/scene/share_link), ?lesson=NAME a lesson, #embed leaves out the bars.
(() => {

const canvas = document.getElementById('canvas');
const typing = { form: document.getElementById('typing'), input: document.getElementById('typed'), sent: '', frames: 0 };
const splash = { box: document.getElementById('splash'), said: document.getElementById('said'), share: document.getElementById('share'),
  start: document.getElementById('start'), again: document.getElementById('again') };

// `offers`: the element that offers to go on, if any.
function say(text, offers = null) {
  splash.box.hidden = false;
  splash.share.hidden = true;
  splash.said.textContent = text;
  splash.start.hidden = offers !== splash.start;
  splash.again.hidden = offers !== splash.again;
}
splash.again.addEventListener('click', () => location.reload());

// Work that gives way needs JavaScript Promise Integration. Without it, these two stand in for it, so that the program loads, and
// nothing ever gives way.
const canGiveWay = typeof WebAssembly.Suspending === 'function';
if (!canGiveWay) {
  WebAssembly.Suspending = function (f) { return f; };
  WebAssembly.promising = (f) => async (...given) => f(...given);
}

const Module = globalThis.Module = {
  canvas,
  canGiveWay,
  noInitialRun: true,
  frames: 0,
  kept: 0,    // how often
  doneAt: 0,  // when something was done that is not kept yet; 0: nothing
  chosenFiles: null,
  copiedText: '',
  print: (text) => console.log(text),
  printErr: (text) => console.warn(text),
  setStatus: (text) => {
    const parts = /\((\d+)\/(\d+)\)/.exec(text);
    if (parts) splash.share.value = Number(parts[1]) / Number(parts[2]);
  },
  onAbort: (what) => say(`The program has ended unexpectedly: ${what}\nReload the page to start again.`),
};

// Texts of any length for the program: `ccall` would put them on its stack, which has one MiB.
function withText(text, use) {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const address = Module._malloc(bytes.length);
  Module.HEAPU8.set(bytes, address);
  const result = use(address);
  if (result instanceof Promise) return result.finally(() => Module._free(address));
  Module._free(address);
  return result;
}

// ---- files

let counted = 0;
async function keepFiles(files) {
  const folder = `/files/${++counted}`;
  FS.mkdirTree(folder);
  const paths = [];
  for (const file of files) {
    const path = `${folder}/${file.name.replaceAll('/', '_')}`;
    FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    paths.push(path);
  }
  return paths;
}

let chooser = null;
Module.chooseFiles = (extensions, several) => {
  chooser = document.createElement('input');
  const asked = chooser;
  asked.type = 'file';
  asked.accept = extensions;
  asked.multiple = several;
  const answer = async (files) => {
    const paths = await keepFiles(files);
    if (asked === chooser) Module.chosenFiles = paths;
  };
  asked.addEventListener('change', () => answer(asked.files));
  asked.addEventListener('cancel', () => answer([]));
  asked.click();
};
Module.forgetChoice = () => { chooser = null; Module.chosenFiles = null; };

document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', async (event) => {
  event.preventDefault();
  const paths = await keepFiles(event.dataTransfer.files);
  if (paths.length) withText(paths.join('\n'), (text) => Module._slotscape_drop(text));
});

// What the program saves to /downloads is downloaded as soon as it no longer grows.
const growing = new Map();
function download() {
  for (const name of FS.readdir('/downloads')) {
    if (name.startsWith('.')) continue;
    const path = `/downloads/${name}`;
    const { size, mode } = FS.stat(path);
    if (FS.isDir(mode)) continue;
    if (growing.get(name) !== size) { growing.set(name, size); continue; }
    growing.delete(name);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    FS.unlink(path);
  }
}

// ---- clipboard: what the program copies goes to the browser's; what is pasted comes with the browser's own event

Module.copyText = (text) => {
  Module.copiedText = text;
  navigator.clipboard?.writeText(text).catch(() => {});
};
document.addEventListener('paste', (event) => { Module.copiedText = event.clipboardData.getData('text/plain'); });

// ---- keys that a browser would take: those of the scenes

// Ctrl with C, V and X comes as events of the clipboard; R, N, T and W stay the browser's.
addEventListener('keydown', (event) => {
  if (event.target === typing.input) return;
  const withControl = event.ctrlKey && /^[a-z0-9]$/i.test(event.key) && !'cvxrntw'.includes(event.key.toLowerCase());
  if (withControl || /^F([1-9]|10|12)$/.test(event.key)) event.preventDefault();
}, true);

// ---- size

function fit() {
  const ratio = devicePixelRatio;
  Module._slotscape_resize(Math.max(1, Math.round(innerWidth * ratio)), Math.max(1, Math.round(innerHeight * ratio)));
}

// ---- touch: one finger is the mouse, or scrolls a panel; held still it hovers; two pan and zoom

// How long a finger was held is measured by the events' own times: they may be handled late, after a slow frame.
const heldMs = 500;
const touch = { used: false, fingers: new Map(), mode: '', start: [0, 0], since: 0, y: 0, panel: 0, last: null };
const at = (event) => [event.clientX * devicePixelRatio, event.clientY * devicePixelRatio];
const held = (event) => event.timeStamp - touch.since >= heldMs;
function middle() {
  const [[ax, ay], [bx, by]] = [...touch.fingers.values()];
  return { x: (ax + bx) / 2, y: (ay + by) / 2, apart: Math.hypot(ax - bx, ay - by) };
}
function useTouch(on) {
  if (touch.used !== on) Module._slotscape_by_touch(on);
  touch.used = on;
}
function beginDrag(event, x, y) {
  const upright = Math.abs(y - touch.start[1]) > Math.abs(x - touch.start[0]);
  touch.panel = upright ? Module._slotscape_panel_at(...touch.start) : 0;
  touch.y = touch.start[1];
  touch.mode = held(event) ? 'hovers' : touch.panel ? 'scrolls' : 'drags';
  if (touch.mode === 'drags') Module._slotscape_button(0, 1);
}
canvas.addEventListener('pointerdown', (event) => {
  if (event.pointerType !== 'touch') return canvas.focus();
  useTouch(true);
  canvas.dispatchEvent(new MouseEvent('mouseenter'));  // without a mouse there, the program would ask GLFW where it is
  touch.fingers.set(event.pointerId, at(event));
  if (touch.fingers.size === 1) {
    touch.mode = 'waits';
    touch.start = at(event);
    touch.since = event.timeStamp;
    Module._slotscape_pointer(...touch.start);
  } else if (touch.fingers.size === 2) {
    if (touch.mode === 'drags') Module._slotscape_button(0, 0);
    touch.mode = 'pinches';
    touch.last = middle();
    Module._slotscape_pointer(touch.last.x, touch.last.y);
    Module._slotscape_button(2, 1);
  }
});
canvas.addEventListener('pointermove', (event) => {
  if (event.pointerType !== 'touch') return useTouch(false);
  if (!touch.fingers.has(event.pointerId)) return;
  const [x, y] = at(event);
  touch.fingers.set(event.pointerId, [x, y]);
  const moved = Math.hypot(x - touch.start[0], y - touch.start[1]) > 8 * devicePixelRatio;
  if (touch.mode === 'waits' && moved) beginDrag(event, x, y);
  if (touch.mode === 'pinches') {
    const now = middle();
    Module._slotscape_pointer(now.x, now.y);
    Module._slotscape_wheel(8 * Math.log2(now.apart / Math.max(1, touch.last.apart)));
    touch.last = now;
  } else if (touch.mode === 'scrolls') {
    Module._slotscape_scroll(touch.panel, y - touch.y);
    touch.y = y;
  } else if (touch.mode !== 'waits') {
    Module._slotscape_pointer(x, y);
  }
});
function lift(event) {
  if (event.pointerType !== 'touch' || !touch.fingers.delete(event.pointerId)) return;
  const hovers = touch.mode === 'hovers' || (touch.mode === 'waits' && held(event));
  if (touch.mode === 'pinches') {
    Module._slotscape_button(2, 0);
    touch.mode = 'done';
  } else if (touch.mode === 'waits' && !hovers && event.type === 'pointerup') {  // a tap
    Module._slotscape_button(0, 1);
    Module._slotscape_button(0, 0);
  } else if (touch.mode === 'drags') {
    Module._slotscape_button(0, 0);
  }
  if (touch.fingers.size === 0 && !hovers) setTimeout(() => Module._slotscape_pointer(-1, -1), 100);
}
canvas.addEventListener('pointerup', lift);
canvas.addEventListener('pointercancel', lift);
for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel']) {
  canvas.addEventListener(kind, (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, { capture: true, passive: false });
}

// ---- a telephone's keyboard: it covers the lower part of the picture, so the field is shown again at the upper end

addEventListener('keydown', forField, true);  // before the program's own listeners, which would take the same keys
addEventListener('keypress', forField, true);
addEventListener('keyup', forField, true);
function forField(event) {
  if (event.target === typing.input) event.stopImmediatePropagation();
}
const signs = [...typing.form.querySelectorAll('[data-sign]')];  // which numeric keyboards of some telephones lack
for (const button of typing.form.querySelectorAll('button')) {
  button.addEventListener('pointerdown', (event) => event.preventDefault());  // the field keeps the keyboard
}
function sendTyped() {
  typing.sent = typing.input.value;
  typing.frames = 0;
  withText(typing.sent, (text) => Module._slotscape_write(text));
}
typing.input.addEventListener('input', sendTyped);
for (const button of signs) {
  button.addEventListener('click', () => {
    const at = typing.input.selectionEnd;  // after what is selected, as all of it is at first
    typing.input.setRangeText(button.dataset.sign, at, at, 'end');
    sendTyped();
  });
}
typing.form.addEventListener('submit', (event) => {
  event.preventDefault();
  Module._slotscape_enter();
  typing.input.focus({ preventScroll: true });
  typing.input.select();
});
typing.form.addEventListener('focusout', (event) => {  // the keyboard was closed
  if (!typing.form.hidden && !typing.form.contains(event.relatedTarget)) Module._slotscape_leave_field();
});
function showField(kind) {
  typing.form.hidden = kind === 'none';
  if (typing.form.hidden) return canvas.focus();
  typing.input.inputMode = kind;
  for (const button of signs) button.hidden = kind !== 'numeric';  // keys: several numbers, and ranges
  typing.sent = typing.input.value = Module.ccall('slotscape_field_text', 'string');
  typing.input.focus({ preventScroll: true });
  typing.input.select();
}
// What the program itself writes there follows; what was typed takes some frames to arrive.
function followField() {
  const kind = touch.used ? Module.ccall('slotscape_field_kind', 'string') : 'none';
  if (typing.form.hidden !== (kind === 'none')) return showField(kind);
  if (kind === 'none' || ++typing.frames < 10) return;
  const text = Module.ccall('slotscape_field_text', 'string');
  if (text !== typing.sent) typing.sent = typing.input.value = text;
}

// ---- what is kept for the next visit, in the browser's IndexedDB: some seconds after something was done, and when the page is left

const keepAfterMs = 3000;
for (const kind of ['pointerdown', 'keydown', 'input', 'wheel', 'drop']) addEventListener(kind, () => { Module.doneAt = performance.now(); }, true);

// Frames and keeping may each wait for work of the program's, and take turns.
let turn = Promise.resolve();
function inTurn(work) {
  const mine = turn.then(work);
  turn = mine.catch(() => {});
  return mine;
}
const synchronized = (fromBrowser) => new Promise((next) => FS.syncfs(fromBrowser, next));
const embedded = /[#&]embed(&|$)/.test(location.hash);  // in another page, with settings of its own
async function keep() {
  Module.doneAt = 0;
  if (embedded) return;
  await inTurn(() => Module._slotscape_keep());
  await synchronized(false);
  ++Module.kept;
}
document.addEventListener('visibilitychange', () => { if (document.hidden && Module.frames && !lost) keep(); });

// ---- the graphics memory: a browser may take it back; then the page begins again with what it has kept

let lost = false;
const session = {  // of this tab; some browsers let a page within another one keep nothing
  get: (name) => { try { return Number(sessionStorage.getItem(name) ?? 0); } catch { return 0; } },
  set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* then it begins anew */ } },
};
canvas.addEventListener('webglcontextlost', (event) => {
  event.preventDefault();
  lost = true;
});
async function beginAgain() {
  const now = Date.now();
  const isOften = now - session.get('slotscape-lost') < 60000;
  await keep();
  session.set('slotscape-lost', now);
  session.set('slotscape-goes-on', now);
  if (!isOften && !document.hidden) return location.reload();
  say('The browser has taken the graphics memory back. What was shown is kept.', splash.again);
}
function keptForAgain() {  // what was shown, if that is why the page begins
  const since = session.get('slotscape-goes-on');
  session.set('slotscape-goes-on', 0);
  const file = Module.ccall('slotscape_kept_file', 'string');
  return since && FS.analyzePath(file).exists && FS.stat(file).mtime >= since ? file : null;
}

// ---- start

function asked() {
  const words = ['slotscape'];
  const lesson = new URLSearchParams(location.search).get('lesson');
  const before = keptForAgain();
  if (before) words.push(before);
  else if (/[#&]s=/.test(location.hash)) words.push(location.hash.replace(/^.*[#&]s=/, '#s='));
  else if (lesson) words.push('lesson', lesson);
  return words;
}

async function run() {
  let last = performance.now();
  while (!lost) {
    await new Promise((next) => requestAnimationFrame(next));
    await inTurn(() => Module._slotscape_frame());
    ++Module.frames;
    followField();
    const now = performance.now();
    if (now - last > 500) {
      last = now;
      download();
    }
    if (Module.doneAt && now - Module.doneAt > keepAfterMs) await keep();
  }
  await beginAgain();
}

Module.onRuntimeInitialized = async () => {
  try {
    FS.mkdirTree('/downloads');
    FS.mount(IDBFS, { autoPersist: true }, '/home/web_user');
    await synchronized(true);
    const words = asked();
    const failure = await withText(words.join('\n'), (text) => Module.ccall('slotscape_start', 'string', ['number', 'number'],
      [text, embedded], { async: true }));
    if (failure) return say(failure, words.length > 1 ? splash.start : null);
    useTouch(matchMedia('(pointer: coarse)').matches);
    fit();
    addEventListener('resize', fit);
    splash.box.hidden = true;
    canvas.focus();
    await run();
  } catch (error) {
    say(`The program has ended unexpectedly: ${error}\nReload the page to start again.`);
    throw error;
  }
};
if (location.protocol === 'https:' || location.hostname === 'localhost') navigator.serviceWorker?.register('offline.js');

})();
