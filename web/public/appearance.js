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
