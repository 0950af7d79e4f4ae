import { count } from './count.ts';

export const texts = {
  changePolicyCoversThis: (requests: number) =>
    requests === 1
      ? 'A change policy covers this: approval has been requested.'
      : `Change policies cover this: ${count(requests, { one: 'approval', other: 'approvals' })} requested.`,
  openRequest: 'Open the request',
  openRequests: 'Open the requests',
};
