import { describe, expect, it } from 'vitest';
import { createLifecycle } from './lifecycle.ts';
import { createLog } from './log.ts';

describe('a lifecycle', () => {
  it('stops in the reverse order, each once, however often it is asked', async () => {
    const lifecycle = createLifecycle(createLog('silent'));
    const stopped: string[] = [];
    lifecycle.onStop('first', async () => void stopped.push('first'));
    lifecycle.onStop('second', async () => void stopped.push('second'));
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(stopped).toEqual(['second', 'first']);
  });

  it('goes on stopping when one part fails to', async () => {
    const lifecycle = createLifecycle(createLog('silent'));
    const stopped: string[] = [];
    lifecycle.onStop('first', async () => void stopped.push('first'));
    lifecycle.onStop('broken', () => Promise.reject(new Error('stuck')));
    await lifecycle.stop();
    expect(stopped).toEqual(['first']);
  });
});
