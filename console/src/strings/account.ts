export const account = {
  title: 'Your account',
  guide: 'Documentation',
  pending: (count: number) => (count === 1 ? '1 open invitation' : `${count} open invitations`),
  invitations: {
    title: 'Invitations',
    offer: (role: string) => `You are invited as ${role}. Expires`,
    link: 'Invitation link',
    linkAbout:
      'Paste the link that the organization sent you. It proves that the invitation is for you.',
    accept: 'Accept',
    decline: 'Decline',
    accepted: (organization: string) => `You are now a member of ${organization}.`,
    declined: 'Invitation declined',
  },
  push: {
    title: 'Notifications in browsers',
    about:
      'Get alarms of this organization as notifications on this computer or phone, also while the console is closed. Each browser is turned on separately.',
    severities: 'Severities',
    all: 'All severities',
    turnOn: 'Turn on in this browser',
    change: 'Save',
    turnOff: 'Turn off',
    on: 'Notifications are on in this browser',
    off: 'Notifications turned off',
    browser: 'Browser',
    current: 'This browser',
    obstacles: {
      insecure:
        'This browser allows notifications only over HTTPS. Open the console at its https address; the operator of the server can set one up.',
      homeScreen:
        'On iPhone and iPad, add the console to the home screen first: tap Share, then “Add to Home Screen”, and open it from there.',
      unsupported:
        'This browser has no web push. Use a current version of Chrome, Edge, Firefox or Safari.',
      denied:
        'Notifications of this site are blocked. Allow them in the settings of the browser, then reload this page.',
    },
  },
  sessions: {
    title: 'Sessions',
    about:
      'Browsers and programs that are signed in to your account. End any session that you do not recognize, then change your password.',
    client: 'Client',
    unknownClient: 'Unknown client',
    current: 'This session',
    address: 'Address',
    created: 'Signed in',
    lastUsed: 'Last active',
    end: 'End session',
    many: 'sessions',
    endEffect: 'Its browser must sign in again.',
    ended: 'Session ended',
    endOthers: 'End all others',
    endOthersTitle: 'End all other sessions?',
    endOthersText: (count: number) =>
      count === 1
        ? '1 other client is signed out immediately. This session stays signed in.'
        : `${count} other clients are signed out immediately. This session stays signed in.`,
    othersEnded: 'All other sessions ended',
  },
} as const;
