/** A file of its own, since few pages need these texts. */
export const heartbeats = {
  search: 'Search heartbeats',
  add: 'Add heartbeat',
  create: 'Add a heartbeat',
  edit: 'Edit heartbeat',
  name: 'Name',
  kind: 'Service',
  kinds: {
    HEALTHCHECKS: 'Healthchecks',
    UPTIME_KUMA: 'Uptime Kuma',
    BETTER_STACK: 'Better Stack',
    DEAD_MANS_SNITCH: "Dead Man's Snitch",
    OTHER: 'Another service',
  },
  kindHints: {
    HEALTHCHECKS: 'The ping URL of a check. A failure is reported to <URL>/fail.',
    UPTIME_KUMA: 'The URL of a monitor of the type Push. A failure is reported as status=down.',
    BETTER_STACK: 'The URL of a heartbeat. A failure is reported to <URL>/fail.',
    DEAD_MANS_SNITCH: 'The URL of a snitch. It is not called when the server is not well.',
    OTHER: 'Any address that is called by GET. It is not called when the server is not well.',
  },
  url: 'URL',
  every: 'Interval in seconds',
  everyHint: 'Set the grace period of the service to at least as much.',
  everySeconds: (seconds: string) => `${seconds} s`,
  active: 'Enabled: calls the service',
  state: 'State',
  states: {
    disabled: 'Disabled',
    pending: 'Not called yet',
    healthy: 'Healthy',
    unhealthy: 'Not well',
    refused: 'Call failed',
  },
  lastSent: 'Last call',
  never: 'Never',
  problem: 'Problem',
  removeText:
    'The service is no longer called. Delete its check there too, or it reports that Fieldwatch is silent.',
  empty: 'No heartbeats yet',
  emptyHint:
    'A heartbeat calls a service outside while Fieldwatch works, so that you are notified when it does not.',
} as const;
