// Runs before the first paint, so that a dark screen does not flash white.
(() => {
  let choice = 'auto';
  let density = 'comfortable';
  try {
    choice = localStorage.getItem('fieldwatch.theme') ?? 'auto';
    density = localStorage.getItem('fieldwatch.density') ?? density;
  } catch {
    // Storage may be forbidden; the system's choice holds then.
  }
  const isDark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  document.documentElement.setAttribute('data-density', density);
})();
