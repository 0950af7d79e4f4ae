/** A client of a server, as one caller. */
export interface Client {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer's body. @throws Refused for any status but 2xx */
  <Body = unknown>(method: string, path: string, body?: object): Promise<Body>;
}

/** The server's answer that something is not possible. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function client(url: string, token?: string): Client {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Refused(answer.status, `${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return Object.assign(ask as Client, { url, headers });
}
