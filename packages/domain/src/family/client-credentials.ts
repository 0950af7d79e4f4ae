import { requestTokens, type TokenIo } from './oauth-tokens.ts';

interface Grant {
  /** Further fields, such as `audience`, and those of the client unless `basic` has them. */
  readonly form: Readonly<Record<string, string>>;
  /** The client by HTTP Basic (RFC 6749, section 2.3.1). */
  readonly basic?: { readonly clientId: string; readonly clientSecret: string };
}

/**
 * An access token for the credentials of a client (RFC 6749, section 4.4), which is hidden from all later texts.
 *
 * @throws DomainError `remote.*` where they are refused.
 */
export async function clientCredentialsToken(io: TokenIo, url: string, { form, basic }: Grant): Promise<string> {
  const fields = { grant_type: 'client_credentials', ...form };
  if (!basic) return (await requestTokens(io, url, fields)).accessToken;
  const encoded = Buffer.from([basic.clientId, basic.clientSecret].map(formEncode).join(':')).toString('base64');
  io.hide(encoded);
  return (await requestTokens(io, url, fields, { authorization: `Basic ${encoded}` })).accessToken;
}

const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
