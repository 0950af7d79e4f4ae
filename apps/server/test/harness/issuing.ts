import { makeIssuer, NEWER, ok, type Issuer } from './certificates.ts';
import { testServer, type TestServer } from './test-server.ts';

/** A server with a project that has an authority. */
export async function issuingServer(
  options: Parameters<typeof testServer>[0] = {},
): Promise<{ test: TestServer; projectId: string; slug: string; ca: Issuer }> {
  const test = await testServer(options);
  const { id: projectId, slug } = await test.project();
  return { test, projectId, slug, ca: await makeIssuer(test, projectId) };
}

/** Creates a profile with renewal nine days before expiry, and a policy without restrictions. */
export async function makeProfile(test: TestServer, of: { projectId: string; caId: string; slug: string }) {
  const url = '/api/v1/cert-manager';
  const policy = await test.admin('POST', `${url}/certificate-policies`, { projectId: of.projectId, name: of.slug });
  const made = await test.admin('POST', `${url}/certificate-profiles`, {
    ...of,
    certificatePolicyId: ok(policy).certificatePolicy.id,
    enrollmentType: 'api',
    apiConfig: { autoRenew: true, renewBeforeDays: 9 },
  });
  const profileId: string = ok(made).certificateProfile.id;
  /** Orders a certificate by it; its id. */
  const order = async (ttl = '30d'): Promise<string> => {
    const attributes = { commonName: 'app.example.com', ttl };
    return ok(await test.admin('POST', NEWER, { profileId, attributes })).certificate.certificateId;
  };
  return { profileId, order };
}
