export const onboarding = {
  title: 'Welcome to Fieldwatch',
  about: 'Three steps to your first value. Each step is checked off when it is done.',
  steps: {
    device: 'Create a Device',
    publish: 'Publish a reading',
    value: 'See the value',
  },
  deviceAbout:
    'A Device sends readings: a controller, a gateway, a sensor, or for a first try your terminal.',
  publishAbout:
    'Run one of these commands in a terminal. This step is checked off when the reading arrives.',
  uplinkAbout:
    'The sensor sends through its network server. This step is checked off when an uplink arrives: press its button or wake it up if it sends seldom. Its page says whether it is registered.',
  passwordLost:
    'The password was shown only once. Issue a new one on the page of the Device to get complete commands.',
  toDevice: 'Open the Device',
  publishDone: 'Reading received.',
  waiting: 'Waiting for a reading …',
  valueAbout:
    'These paths match no Variable yet. Create a Variable from one of them, then publish again.',
  create: (path: string) => `Create a Variable from ${path}`,
  valueWaiting: 'Variable created. Publish again to see its value.',
  valueDone: 'This is the current value. It updates with every reading.',
  finish: 'Go to the overview',
  skip: 'Skip',
} as const;
