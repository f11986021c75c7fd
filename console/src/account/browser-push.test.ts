import { describe, expect, it } from 'vitest';
import { obstacleOf } from './browser-push.ts';

const able = {
  isSecure: true,
  hasPush: true,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  permission: 'default',
} as const;
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1';

describe('web push in a browser', () => {
  it.each([
    ['can be turned on', {}, null],
    ['can be turned on once allowed', { permission: 'granted' }, null],
    ['needs HTTPS', { isSecure: false, hasPush: false }, 'insecure'],
    ['needs the home screen on iOS', { hasPush: false, userAgent: IPHONE }, 'homeScreen'],
    ['is missing in other browsers', { hasPush: false }, 'unsupported'],
    ['can be blocked by the user', { permission: 'denied' }, 'denied'],
  ] as const)('%s', (_, change, obstacle) => {
    expect(obstacleOf({ ...able, ...change })).toBe(obstacle);
  });
});
