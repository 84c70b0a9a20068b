// Runs before the first paint, as a file because the content policy allows no inline script.
(() => {
  const root = document.documentElement;
  try {
    const stored = JSON.parse(localStorage.getItem('cambist.preferences') ?? '{}').state ?? {};
    if (stored.scheme === 'light') root.dataset.mantineColorScheme = 'light';
    if (stored.direction === 'blue-orange') root.dataset.direction = 'blue-orange';
  } catch {
    // Storage may be closed to us; dark is the default.
  }
})();
