// oxlint-disable-next-line import/no-unassigned-import -- the library below needs it
import 'reflect-metadata';
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { TestClaims, TestIssuer } from './rejected-credentials.ts';
import type { StandIns } from './stand-ins.ts';

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** The instance in tokens signed by Google, as a login verifies it. */
export const googleInstance = {
  serviceAccount: '123456789012-compute@developer.gserviceaccount.com',
  projectId: 'acme-prod',
  zone: 'europe-west1-b',
  instanceId: '1234567890123456789',
  instanceName: 'web-1',
};

/** The owner of a published key: Google itself, or one of its service accounts. */
class Signer implements TestIssuer {
  readonly kid = randomBytes(20).toString('hex');
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly claims: () => TestClaims;

  constructor(claims: () => TestClaims) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = privateKey;
    this.publicKey = publicKey;
    this.claims = claims;
  }

  get jwk(): object {
    return { ...this.publicKey.export({ format: 'jwk' }), kid: this.kid, alg: 'RS256', use: 'sig' };
  }

  async certificate(notAfter = new Date(Date.now() + 86_400_000)): Promise<string> {
    const usages = { sign: this.privateKey, verify: this.publicKey };
    const generated = await X509CertificateGenerator.createSelfSigned({
      name: `CN=${this.kid}`,
      notBefore: new Date(Date.now() - 86_400_000),
      notAfter,
      signingAlgorithm: RSA,
      keys: {
        privateKey: usages.sign.toCryptoKey(RSA, false, ['sign']),
        publicKey: usages.verify.toCryptoKey(RSA, true, ['verify']),
      },
    });
    return generated.toString('pem');
  }
}

/** Google, with ID tokens for instances and published keys of service accounts. */
export class Google {
  /** The requested paths. */
  readonly asked: string[] = [];
  readonly itself: Signer;
  readonly #accounts = new Map<string, Record<string, string>>();
  readonly #identityId: string;

  private constructor(identityId: string) {
    this.#identityId = identityId;
    this.itself = new Signer(() => this.#instance());
  }

  /** Stands in for www.googleapis.com; tokens are for this identity. */
  static async start(standIns: StandIns, identityId: string): Promise<Google> {
    const google = new Google(identityId);
    await standIns.serve('www.googleapis.com', (request, response) => {
      const url = request.url ?? '';
      google.asked.push(url);
      const document = google.#document(url);
      response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document ?? { error: { code: 404 } }));
    });
    return google;
  }

  /** A service account with its own key; its certificate has the given expiry. */
  async account(email: string, notAfter?: Date): Promise<TestIssuer> {
    const signer = new Signer(() => ({ sub: email, aud: this.#identityId, ...times() }));
    this.#accounts.set(email, { ...this.#accounts.get(email), [signer.kid]: await signer.certificate(notAfter) });
    return signer;
  }

  /** As in a token of the metadata server with `format=full`. */
  #instance(): TestClaims {
    return {
      aud: this.#identityId,
      azp: '112233445566778899000',
      email: googleInstance.serviceAccount,
      email_verified: true,
      iss: 'https://accounts.google.com',
      sub: '112233445566778899000',
      google: {
        compute_engine: {
          instance_creation_timestamp: 1_700_000_000,
          instance_id: googleInstance.instanceId,
          instance_name: googleInstance.instanceName,
          project_id: googleInstance.projectId,
          project_number: 123_456_789_012,
          zone: googleInstance.zone,
        },
      },
      ...times(),
    };
  }

  #document(url: string): object | undefined {
    if (url === '/oauth2/v3/certs') return { keys: [this.itself.jwk] };
    const [, email = ''] = /^\/service_accounts\/v1\/metadata\/x509\/([^/?#]+)$/.exec(url) ?? [];
    return this.#accounts.get(decodeURIComponent(email));
  }
}

function times(): TestClaims {
  const iat = Math.floor(Date.now() / 1000);
  return { iat, exp: iat + 3600 };
}
