import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/index.ts';
import { startDensity } from './design/index.ts';
import { createQueryClient } from './service/index.ts';
import { createAuthentication } from './session/index.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');
startDensity();
// Only where the browser has it: over HTTPS or on localhost. The console works without it.
void navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
createRoot(root).render(
  <StrictMode>
    <App
      authentication={createAuthentication(window.location.origin)}
      queries={createQueryClient()}
    />
  </StrictMode>,
);
