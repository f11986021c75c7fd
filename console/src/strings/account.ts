export const account = {
  title: 'Your account',
  pending: (count: number) => (count === 1 ? '1 open invitation' : `${count} open invitations`),
  invitations: {
    title: 'Invitations',
    offer: (role: string) => `Invites you as ${role}. Expires`,
    link: 'Invitation link',
    linkAbout:
      'Paste the link that the organization sent you. It shows that the invitation is meant for you.',
    accept: 'Accept',
    decline: 'Decline',
    accepted: (organization: string) => `You are now a member of ${organization}.`,
    declined: 'The invitation is declined.',
  },
  sessions: {
    title: 'Sessions',
    about:
      'Every browser and program that is signed in to your account. End those that you do not recognize, then change your password.',
    client: 'Client',
    unknownClient: 'Unknown client',
    current: 'This session',
    address: 'Address',
    created: 'Signed in',
    lastUsed: 'Last active',
    end: 'End',
    endLabel: (client: string) => `End the session of ${client}`,
    ended: 'Ended. That client is signed out.',
    endOthers: 'End all others',
    endOthersTitle: 'End all other sessions?',
    endOthersText: (count: number) =>
      count === 1
        ? 'One other client is signed out at once. This session goes on.'
        : `${count} other clients are signed out at once. This session goes on.`,
  },
} as const;
