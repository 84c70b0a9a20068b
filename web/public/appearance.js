// Runs before the first paint, as a file because the content policy allows no inline script.
(() => {
  const root = document.documentElement;
  const read = (name) => JSON.parse(localStorage.getItem(name) ?? '{}').state ?? {};
  try {
    const stored = read('cambist.preferences');
    if (stored.scheme === 'light') root.dataset.mantineColorScheme = 'light';
    if (stored.direction === 'blue-orange') root.dataset.direction = 'blue-orange';
    if (stored.closedBanner) root.dataset.bannerClosed = '';
    // The page was drawn beforehand for a visitor, in the browser's language. Others wait for their own.
    const { locale } = root.dataset;
    const otherLanguage = locale && stored.locale && stored.locale !== locale;
    if (otherLanguage || read('cambist.session').token) root.dataset.redraw = '';
  } catch {
    // Storage may be closed to us; dark is the default.
  }
})();

// A button that is pressed before the app can hear it is remembered, and pressed again by the app once it can.
(() => {
  let pressed;
  const remember = (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    pressed = button;
    event.stopPropagation();
  };
  addEventListener('click', remember, true);
  window.takeEarlyPress = () => {
    removeEventListener('click', remember, true);
    return pressed;
  };
})();

// Why nothing is there yet, in the browser's language: it stands in the page, since nothing else has come.
window.sayLate = () => {
  const late = document.getElementById('late');
  if (!late) return;
  const texts = [...late.querySelectorAll('[lang]')];
  const isOwn = ({ dataset }) => dataset.tags.split(' ').some((tag) => navigator.language.startsWith(tag));
  const own = texts.find(isOwn) ?? texts[0];
  for (const text of texts) text.hidden = text !== own;
  late.hidden = false;
};

// The program's first file may not come, as while the server starts anew behind a proxy. Nothing is there then that asks
// for it again, and a browser remembers for as long as the page is open that it has failed.
(() => {
  const REST_MS = 3_000;
  const isThere = async (file) => (await fetch(file, { method: 'HEAD', cache: 'no-store' })).ok;
  const loadAnew = async (files) => {
    const there = await Promise.all(files.map(isThere)).catch(() => []);
    if (there.length > 0 && there.every(Boolean)) location.reload();
    else setTimeout(loadAnew, REST_MS, files);
  };
  const onError = ({ target }) => {
    if (target.tagName !== 'SCRIPT' || target.type !== 'module') return;
    window.sayLate();
    const needed = [...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href);
    setTimeout(loadAnew, REST_MS, [target.src, ...needed]);
  };
  addEventListener('error', onError, true);
})();
