export { contactFollowers, contactFollowersOf, nextContactsOf } from './followers.ts';
export { isFollowing, listFollowers } from './store.ts';
export { createGroupSubscriptions, type GroupSubscriptions } from './subscriptions.ts';
export { unfollowByAddress } from './unfollow.ts';
