import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    accessKey: 'AKIAY34FZKBOKMUTVV7A',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'eu-central-1',
  },
  full: {
    method: 'access-key',
    credentialType: 'iam-user',
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'another/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-gov-west-1',
    awsPath: '/coffer/leases/',
    permissionBoundaryPolicyArn: 'arn:aws-us-gov:iam::123456789012:policy/boundary',
    policyDocument: '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:Get*","Resource":"*"}]}',
    userGroups: 'developers, readers',
    policyArns: 'arn:aws-us-gov:iam::aws:policy/ReadOnlyAccess,arn:aws-us-gov:iam::123456789012:policy/a,b',
    tags: [{ key: 'team', value: 'shop' }],
  },
  others: [
    {
      method: 'assume-role',
      accessKey: 'AKIAY34FZKBOKMUTVV7A',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'cn-north-1',
      roleArn: 'arn:aws-cn:iam::123456789012:role/coffer',
      externalId: 'shop',
    },
  ],
};
