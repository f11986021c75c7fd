export const onboarding = {
  title: 'Welcome to Fieldwatch',
  about: 'Three steps to a first value. Each ticks off as it happens.',
  steps: {
    device: 'Make a Device',
    publish: 'Publish to it',
    value: 'See the value',
  },
  deviceAbout:
    'A Device is what reports readings: a controller, a gateway, a sensor, or just your terminal.',
  deviceDone: (name: string) => `${name} is made.`,
  publishAbout:
    'Run one of these commands in a terminal. The step ticks off when the reading arrives.',
  publishLost:
    'The password was shown once. Issue a new one on the Device’s page to get commands that work.',
  toDevice: 'To the Device',
  publishDone: 'A reading has arrived.',
  waiting: 'Waiting for a reading …',
  valueAbout: 'These paths arrived and are no Variables yet. Make one of them, then publish again.',
  make: (path: string) => `Make a Variable of ${path}`,
  valueWaiting: 'The Variable is made. Publish again to see its value.',
  valueDone: 'That is the value. It changes as readings arrive.',
  finish: 'Go to the overview',
  skip: 'Skip this',
} as const;
