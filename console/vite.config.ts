import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { callFacts } from './call-facts.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the server answers itself; everything else is the console's. */
const SERVED_BY_SERVER =
  '^/(primary|auth|data|payload|v1|docs|openapi.json|healthz|readyz|metrics|mqtt)(/|$|\\?)';

export default defineConfig({
  root: source('.'),
  plugins: [react(), callFacts()],
  resolve: {
    alias: [
      { find: '@fieldwatch/contract', replacement: source('../contract/src/index.ts') },
      { find: '@fieldwatch/client', replacement: source('../client/src/index.ts') },
    ],
  },
  build: {
    target: 'es2022',
    // From here on browsers know `light-dark()`; older ones would get it rewritten, and wrongly.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    // Not `assets`, which is a page.
    assetsDir: 'static',
    emptyOutDir: true,
    // A style sheet of a page that could not be loaded is not requested again with the page's script.
    cssCodeSplit: false,
    sourcemap: false,
    manifest: true,
    // Small images as data would bloat the script, which has a limit.
    assetsInlineLimit: 0,
    // No property of ours does anything when it is read.
    rolldownOptions: { treeshake: { propertyReadSideEffects: false } },
  },
  server: {
    port: 5173,
    proxy: { [SERVED_BY_SERVER]: { target: 'http://127.0.0.1:8080', ws: true } },
  },
});
