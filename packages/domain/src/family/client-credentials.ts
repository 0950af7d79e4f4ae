import { z } from 'zod';
import { jsonOf } from './remote-answer.ts';
import { malformed, rejected } from './remote-error.ts';
import type { RemoteIo } from './remote-session.ts';
import type { OutboundResponse } from '../kernel/index.ts';

/** The means of a client that obtains a credential of its own. */
export interface HidingIo extends RemoteIo {
  /** Redacts a credential from all later texts. */
  hide(credential: string): void;
}

interface Grant {
  /** Further fields, such as `audience`, and those of the client unless `basic` has them. */
  readonly form: Readonly<Record<string, string>>;
  /** The client by HTTP Basic (RFC 6749, section 2.3.1). */
  readonly basic?: { readonly clientId: string; readonly clientSecret: string };
}

const Token = z.object({ access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/) });
const Words = z.object({
  error_description: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

/** The error message of an authorization server (RFC 6749, section 5.2). */
function oauthWordsOf(answer: OutboundResponse): string {
  const { data = {} } = Words.safeParse(jsonOf(answer));
  return data.error_description ?? data.message ?? data.error ?? '';
}

/**
 * An access token for the credentials of a client (RFC 6749, section 4.4), which is hidden from all later texts.
 *
 * @throws DomainError `remote.*` where they are refused.
 */
export async function clientCredentialsToken(io: HidingIo, url: string, { form, basic }: Grant): Promise<string> {
  const encoded =
    basic && Buffer.from([basic.clientId, basic.clientSecret].map(formEncode).join(':')).toString('base64');
  if (encoded) io.hide(encoded);
  const answer = await io.fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(encoded && { authorization: `Basic ${encoded}` }),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
    maxRedirects: 0,
  });
  if (answer.status !== 200) throw rejected(url, answer.status, oauthWordsOf(answer));
  const { success, data } = Token.safeParse(jsonOf(answer));
  if (!success) throw malformed(url, 'no access token');
  io.hide(data.access_token);
  return data.access_token;
}

const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
