import { makeAuthority } from '../../../outbound/testing/certificates.ts';

/**
 * For each provider the least that it is told, and more: a value for every field. `others` are inputs of its further
 * shapes. Nothing of it is there: whoever makes a dynamic secret of them needs a target that answers.
 */
export interface ProviderExample {
  readonly least: Readonly<Record<string, unknown>>;
  readonly full: Readonly<Record<string, unknown>>;
  readonly others?: readonly Readonly<Record<string, unknown>>[];
}

export const examples: Readonly<Record<string, ProviderExample>> = {
  'sql-database': {
    least: {
      client: 'postgres',
      host: 'db.example.com',
      port: 5432,
      database: 'shop',
      username: 'coffer',
      password: 'a password',
      creationStatement: `create role "{{username}}" login password '{{password}}' valid until '{{expiration}}'`,
      revocationStatement: 'drop role "{{username}}"',
    },
    full: {
      client: 'postgres',
      host: 'other.example.com',
      port: 5433,
      database: 'other',
      username: 'other',
      password: 'another password',
      passwordRequirements: {
        length: 32,
        required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 1 },
        allowedSymbols: '-_',
      },
      creationStatement: `create user {{username}} password {{password}}`,
      revocationStatement: 'drop user {{username}}',
      renewStatement: `alter role "{{username}}" valid until '{{expiration}}'`,
      ca: makeAuthority('Database').cert.trim(),
      gatewayId: null,
    },
    others: [
      {
        client: 'mysql2',
        host: 'db.example.com',
        port: 3306,
        database: 'shop',
        username: 'coffer',
        password: 'a password',
        creationStatement: `create user '{{username}}'@'%' identified by '{{password}}'; grant select on \`{{database}}\`.* to '{{username}}'@'%'`,
        revocationStatement: `drop user '{{username}}'@'%'`,
      },
    ],
  },
  'aws-iam': {
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
  },
  redis: {
    least: {
      host: 'redis.example.com',
      port: 6379,
      username: 'coffer',
      creationStatement: 'ACL SETUSER {{username}} on >{{password}} ~app:* +@all -@dangerous',
      revocationStatement: 'ACL DELUSER {{username}}',
    },
    full: {
      host: 'other.example.com',
      port: 6380,
      username: 'other',
      password: 'another password',
      creationStatement: 'ACL SETUSER {{username}} on >{{password}} ~* +@all; SET until:{{username}} "{{expiration}}"',
      revocationStatement: 'ACL DELUSER {{username}}; DEL until:{{username}}',
      renewStatement: `SET until:{{username}} '{{expiration}}'`,
      ca: makeAuthority('Redis').cert.trim(),
    },
  },
  'mongo-db': {
    least: {
      host: 'mongo.example.com',
      username: 'coffer',
      password: 'a password',
      database: 'shop',
      roles: ['readWrite'],
    },
    full: {
      host: 'other.example.com',
      port: 27_018,
      username: 'other',
      password: 'another password',
      database: 'other',
      roles: ['read', 'reports'],
      ca: makeAuthority('MongoDB').cert.trim(),
    },
  },
  'rabbit-mq': {
    least: {
      host: 'rabbit.example.com',
      port: 15_671,
      username: 'coffer',
      password: 'a password',
      virtualHost: { name: '/', permissions: { read: '.*', write: '.*', configure: '' } },
    },
    full: {
      host: 'https://other.example.com',
      port: 443,
      tags: ['monitoring'],
      username: 'other',
      password: 'another password',
      ca: makeAuthority('RabbitMQ').cert.trim(),
      virtualHost: { name: 'shop', permissions: { read: '^shop-', write: '^shop-', configure: '^shop-' } },
    },
  },
  ldap: {
    least: {
      url: 'ldap://directory.example.com',
      binddn: 'cn=coffer,dc=example,dc=com',
      bindpass: 'a password',
      creationLdif:
        'dn: uid={{username}},ou=services,dc=example,dc=com\nobjectClass: inetOrgPerson\ncn: {{username}}\nsn: {{username}}\nuserPassword: {{password}}',
      revocationLdif: 'dn: uid={{username}},ou=services,dc=example,dc=com\nchangetype: delete',
    },
    full: {
      credentialType: 'dynamic',
      url: 'ldaps://ad.example.com:636/',
      binddn: 'EXAMPLE\\coffer',
      bindpass: 'another password',
      creationLdif:
        'dn: CN={{Username}},OU=Services,DC=example,DC=com\nobjectClass: user\nsAMAccountName: {{Username}}\nunicodePwd:: {{EncodedPassword}}\nuserAccountControl: 66048',
      revocationLdif: 'dn: cn={{username}}, ou=services, dc=example, dc=com\nchangetype: delete',
      rollbackLdif: 'dn: CN={{Username}},OU=Services,DC=example,DC=com\nchangetype: delete',
      ca: makeAuthority('Directory').cert.trim(),
    },
    others: [
      {
        credentialType: 'static',
        url: 'ldaps://directory.example.com',
        binddn: 'coffer@example.com',
        bindpass: 'a password',
        rotationLdif:
          'dn: cn=shop,dc=example,dc=com\nchangetype: modify\nreplace: userPassword\nuserPassword: {{password}}\n-',
      },
    ],
  },
  totp: {
    least: { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
    full: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP', period: 60, algorithm: 'sha256', digits: 8 },
    others: [{ configType: 'url', url: 'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop' }],
  },
  kubernetes: {
    least: {
      credentialType: 'static',
      url: 'https://cluster.example.com',
      clusterToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln',
      namespace: 'apps',
      serviceAccountName: 'shop',
    },
    full: {
      url: 'https://other.example.com:6443/k8s/clusters/a/',
      clusterToken: 'another.token-of.the_cluster',
      ca: makeAuthority('Cluster').cert.trim(),
      sslEnabled: true,
      gatewayId: null,
      authMethod: 'api',
      audiences: ['vault', 'https://example.com'],
      namespace: 'other',
      serviceAccountName: 'other.account',
    },
    others: [
      {
        credentialType: 'dynamic',
        url: 'https://cluster.example.com',
        clusterToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln',
        namespace: 'apps, jobs',
        roleType: 'cluster-role',
        role: 'system:view',
      },
    ],
  },
};
