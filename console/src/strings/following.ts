/** A file of its own, since only the account page needs these texts. */
export const following = {
  title: 'Alarm groups you follow',
  about:
    'You are notified of their alarms by your own contact methods and rules, beside everybody whom the group notifies.',
  group: 'Alarm group',
  choose: 'Choose an alarm group',
  none: 'No further alarm groups',
  follow: 'Follow',
  followed: 'You follow the alarm group',
  unfollow: 'Unfollow',
  unfollowed: 'You follow the alarm group no longer',
} as const;
