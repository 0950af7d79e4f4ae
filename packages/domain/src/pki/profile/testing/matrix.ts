/** The contents of policies, and the defaults of profiles. */
export const MATRIX: Record<string, Record<'policy' | 'defaults', object>> = {
  anything: { policy: {}, defaults: { commonName: 'a.example.com', keyUsages: ['digital_signature', 'keyAgreement'] } },
  servers: {
    policy: {
      subject: [{ type: 'common_name', allowed: ['*.example.com'] }],
      sans: [{ type: 'dns_name', allowed: ['*.EXAMPLE.com'], denied: ['admin.*', '*.internal.example.com'] }],
      keyUsages: { allowed: ['digital_signature', 'key_encipherment'] },
      extendedKeyUsages: { allowed: ['server_auth', 'client_auth'] },
      validity: { max: '60d' },
    },
    defaults: { extendedKeyUsages: ['server_auth', 'code_signing'], ttlDays: 30 },
  },
  hosts: {
    policy: {
      sans: [
        { type: 'dnsName', allowed: ['a.example.com', '*.b.example.com'] },
        { type: 'ip_address', allowed: ['10.*', '2001:db8:*'], denied: ['10.9.*'] },
      ],
      validity: { max: '400d' },
    },
    defaults: { commonName: 'a.example.com', organization: 'Example Ltd', ttlDays: 1_000 },
  },
  people: {
    policy: {
      subject: [
        { type: 'commonName', allowed: ['Ann *', '*@example.com'] },
        { type: 'organization', required: ['Example*'] },
        { type: 'country', allowed: ['DE'] },
      ],
      sans: [{ type: 'email', allowed: ['*@example.com'], denied: ['root@*'] }],
      keyUsages: { required: ['digital_signature'], denied: ['data_encipherment'] },
      extendedKeyUsages: { required: ['emailProtection'] },
    },
    defaults: { organization: 'Example Söhne', country: 'DE', extendedKeyUsages: ['client_auth'] },
  },
  workloads: {
    policy: {
      subject: [
        { type: 'common_name', denied: ['*'] },
        { type: 'organization', denied: ['*'] },
      ],
      sans: [
        { type: 'uri', allowed: ['spiffe://example.com/*'], required: ['spiffe://*'] },
        { type: 'dns_name', denied: ['*.org'] },
      ],
      extendedKeyUsages: { required: ['clientAuth'], denied: ['code_signing'] },
    },
    defaults: { locality: 'Köln', keyAlgorithm: 'EC_secp384r1', ttlDays: 1 },
  },
  curves: {
    policy: {
      algorithms: { keyAlgorithm: ['EC_prime256v1', 'EC-secp384r1'], signature: ['ECDSA-SHA256', 'ECDSA-SHA384'] },
      keyUsages: { allowed: ['digital_signature', 'key_agreement'] },
    },
    defaults: { keyAlgorithm: 'EC_prime256v1', organizationalUnit: 'Curves', keyUsages: ['key_agreement'] },
  },
  rsa: {
    policy: {
      algorithms: { keyAlgorithm: ['RSA-2048'] },
      keyUsages: { required: ['key_encipherment'], denied: ['nonRepudiation'] },
    },
    defaults: { keyUsages: ['digital_signature', 'data_encipherment', 'key_agreement'] },
  },
  denied: {
    policy: {
      subject: [{ type: 'common_name', denied: ['*evil*', 'admin.*'] }],
      sans: [
        { type: 'dns_name', denied: ['evil.org', '*.evil.org', 'a.*.com'] },
        { type: 'ip_address', denied: ['192.168.*'] },
        { type: 'email' },
        { type: 'uri', denied: ['http:*'] },
      ],
      validity: { max: '365d' },
    },
    defaults: { commonName: 'x.y.example.com', state: 'Bavaria' },
  },
  code: {
    policy: {
      subject: [{ type: 'organization', required: ['Example*', '*Ltd'] }],
      sans: [],
      keyUsages: { allowed: ['digitalSignature'], required: ['digital_signature'] },
      extendedKeyUsages: { allowed: ['code_signing'], required: ['codeSigning'] },
      algorithms: { keyAlgorithm: ['EC_prime256v1', 'EC_secp384r1', 'ED25519'] },
      basicConstraints: { isCA: 'denied' },
    },
    defaults: { organization: 'Example Ltd', commonName: 'Ann Lee', keyAlgorithm: 'ED25519' },
  },
  wildcards: {
    policy: {
      sans: [{ type: 'dns_name', required: ['*.example.com', 'b.*'], denied: ['*.x.example.com'] }],
      basicConstraints: { isCA: 'allowed', maxPathLength: 1 },
      validity: { max: '1d' },
    },
    defaults: { extendedKeyUsages: ['clientAuth'] },
  },
  directory: {
    policy: {
      subject: [
        { type: 'domain_component', allowed: ['example', 'com'] },
        { type: 'organizational_unit', denied: ['Admin*'] },
        { type: 'state', allowed: ['Bavaria'] },
        { type: 'locality', required: ['*'] },
      ],
    },
    defaults: { organizationalUnit: 'Curves', locality: 'Köln', state: 'Bavaria', country: 'FR' },
  },
};
