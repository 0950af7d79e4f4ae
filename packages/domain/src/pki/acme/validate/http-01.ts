import { isIP } from 'node:net';
import type { Context } from '../../../kernel/index.ts';
import { getUnauthenticated, type UnauthenticatedResponse } from '../../../outbound/index.ts';
import { reach, ChallengeFailed, type ValidateChallenge } from './challenge.ts';

const MAX_REDIRECTS = 5;
/** Of the body; a proof has a hundred. */
const MAX_CHARACTERS = 1_024;

/**
 * RFC 8555, section 8.3: a file on the name's web server. Redirects are followed, by http and https on the default
 * ports; certificates are not verified, because servers may not have one yet.
 */
export const validateHttp: ValidateChallenge = async (ctx, { name, token, keyAuthorization }) => {
  let url = new URL(`http://${name}/.well-known/acme-challenge/${token}`);
  for (let redirects = 0; ; redirects++) {
    const { status, location, body } = await get(ctx, url);
    if (location === undefined) {
      if (status !== 200) throw new ChallengeFailed('unauthorized', `${url.hostname} answered with status ${status}`);
      if (body.trimEnd() === keyAuthorization) return;
      throw new ChallengeFailed('incorrectResponse', `${url.hostname} did not return the key authorization`);
    }
    if (redirects === MAX_REDIRECTS) throw new ChallengeFailed('connection', `${name} redirects too often`);
    url = next(url, location);
  }
};

function next(url: URL, location: string): URL {
  const target = URL.parse(location, url.href);
  const host = target?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isUsual =
    target && ['http:', 'https:'].includes(target.protocol) && target.port === '' && !target.username && !isIP(host);
  if (!isUsual)
    throw new ChallengeFailed(
      'connection',
      `${url.hostname} redirects to something other than an http or https URL with a name`,
    );
  return target;
}

async function get(ctx: Context, url: URL): Promise<UnauthenticatedResponse> {
  const connection = await reach(ctx, url.hostname, url.protocol === 'https:' ? 443 : 80);
  try {
    return await getUnauthenticated(connection, url, MAX_CHARACTERS);
  } catch {
    throw new ChallengeFailed('connection', connection.failure ?? `${url.hostname} does not speak HTTP`);
  } finally {
    connection.stream.destroy();
  }
}
