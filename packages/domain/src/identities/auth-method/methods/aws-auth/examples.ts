import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: {},
  full: {
    stsEndpoint: 'https://sts.eu-west-2.amazonaws.com',
    allowedPrincipalArns: 'arn:aws:iam::123456789012:role/web, arn:aws:iam::123456789012:user/*',
    allowedAccountIds: '123456789012',
    serverId: 'coffer.example.com',
  },
  shared: {
    unbound: {},
    bindings: [{ allowedPrincipalArns: 'arn:aws:iam::123456789012:*' }, { allowedAccountIds: '123456789012' }],
    nonBindings: [{ allowedAccountIds: ' , ' }, { serverId: 'coffer.example.com' }],
  },
};
