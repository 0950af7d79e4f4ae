/** Values as they look, for the documentation of operations. */
export const EXAMPLES = {
  name: 'invoices',
  ciphertext: 'AQEAAAABx6Y4gVApOfVAUE0+yZOE1BW1WMA9fvPG5X7AwI7KjwlF',
  signature: 'MEUCIAvuIvWdyFYKQzAiWdjkYr8ZLEEz7iLu4/YukxgD+P6nAiEA91rM+7xD7P4+OJJez706hVr/j2bcD2FccmnppFHRtB8=',
  mac: 'UBqR0kYgoceSRIDlN7SE/B+eMO21hQz+Yvk5PmomCz8=',
  random: 'PjdaOZk8abrDifw019nVPQXdLxNXtdkn2p85I9XMcj0=',
  publicKey:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE99vazPLUxr3uA0KYSPNKOkfbQi6cHSPOklKTIWr4Z6OHnh2yRdn8xMvW2N0jVH6ZNGgY1n87bjIZHkKfCvSUWw==',
  publicKeyPem: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  publicKeyJwk: {
    kty: 'EC',
    crv: 'P-256',
    x: '99vazPLUxr3uA0KYSPNKOkfbQi6cHSPOklKTIWr4Z6M',
    y: 'h54dskXZ_MTL1tjdI1R-mTRoGNZ_O24yGR5Cnwr0lFs',
    kid: '00000000-0000-4000-8000-000000000000.1',
    use: 'sig',
  },
} as const;
