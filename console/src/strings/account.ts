export const account = {
  title: 'Your account',
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
