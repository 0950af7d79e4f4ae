import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import type { TestClaims, TestIssuer } from './rejected-credentials.ts';
import type { StandIns } from './stand-ins.ts';

/** A tenant of Microsoft Entra, with a service principal that its tokens are issued to. */
export class AzureTenant implements TestIssuer {
  readonly tenantId = randomUUID();
  readonly servicePrincipalId = randomUUID();
  readonly applicationId = randomUUID();
  readonly kid = randomUUID();
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly resource: string;

  private constructor(resource: string) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = privateKey;
    this.publicKey = publicKey;
    this.resource = resource;
  }

  /** Stands in for login.microsoftonline.com, with as many tenants as needed. */
  static async start(standIns: StandIns, count: number, resource = 'https://management.azure.com') {
    const tenants = Array.from({ length: count }, () => new AzureTenant(resource));
    await standIns.serve('login.microsoftonline.com', (request, response) => {
      const tenant = tenants.find(({ tenantId }) => request.url === `/${tenantId}/discovery/keys`);
      response.writeHead(tenant ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(tenant ? { keys: [tenant.#published] } : { error: 'invalid_tenant' }));
    });
    return tenants;
  }

  /** As in an access token of the first generation. */
  claims(): TestClaims {
    const now = Math.floor(Date.now() / 1000);
    return {
      aud: this.resource,
      iss: `https://sts.windows.net/${this.tenantId}/`,
      iat: now,
      nbf: now,
      exp: now + 3600,
      appid: this.applicationId,
      appidacr: '2',
      idtyp: 'app',
      oid: this.servicePrincipalId,
      sub: this.servicePrincipalId,
      tid: this.tenantId,
      ver: '1.0',
    };
  }

  /** The differences of the second tenant. */
  get secondGeneration(): TestClaims {
    return {
      iss: `https://login.microsoftonline.com/${this.tenantId}/v2.0`,
      appid: undefined,
      azp: this.applicationId,
      ver: '2.0',
    };
  }

  /** As Microsoft publishes keys: without the algorithm. */
  get #published(): object {
    const { n, e } = this.publicKey.export({ format: 'jwk' });
    return { kty: 'RSA', use: 'sig', kid: this.kid, x5t: this.kid, n, e };
  }
}
